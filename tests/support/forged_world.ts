import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodePng } from "../../lib/media/images/png.ts";
import { encodeState } from "../../lib/models/world/portable_state.ts";
import { journalFile } from "../../lib/world/host/journal_files.ts";
import { stateAfterMove, stateAtSource } from "../../lib/world/session/graph/session_state.ts";
import { type ChainNode, sha256 } from "../../lib/world/session/journal/chain_node.ts";
import { WorldJournal } from "../../lib/world/session/journal/world_journal.ts";

/** What a {@link forgeClipWorld} asks of the model. */
export interface ForgedClip {
  readonly frames: number;
  readonly steps: number;
  /** What its record says of the time that it took. */
  readonly seconds?: number;
  readonly width?: number;
  readonly height?: number;
}

export const FORGED_WORLD = "00000000-0000-4000-8000-00000000f0f0";

/** Leaves an actionworld in a state directory as an import does: one state, and one clip after it. */
export async function forgeClipWorld(directory: string, clip: ForgedClip): Promise<string> {
  const { frames, steps, seconds = 0.5, width = 320, height = 176 } = clip;
  const folder = join(directory, "worlds", FORGED_WORLD);
  mkdirSync(join(folder, "journal"), { recursive: true });
  const data = new Uint8Array(3 * width * height).fill(90);
  const path = join(folder, "state-0002.png");
  writeFileSync(path, await encodePng({ width, height, data }));
  const state = encodeState({ head: { kind: "actionworld", width, height }, parts: [data] });
  writeFileSync(join(folder, "journal", "chain-000001.state"), state);
  const file = { name: "chain-000001.state", bytes: state.length, sha256: await sha256(state) };
  const first: ChainNode = { id: 1, seconds: 0, file };
  const actions = new Float32Array((frames - 1) * 9);
  const request = { prompt: "a hall", seed: 3n, frames, actions, fps: 30, steps, guidanceScale: 1, shift: 3 };
  const last: ChainNode = { id: 2, parent: first, request, seconds, pixels: "0".repeat(64) };
  const source = stateAtSource("00000000-0000-4000-8000-000000000001", { image: { width, height, data }, path });
  const scene = { ...source, geometry: { width, height }, depth: 1 };
  const move = { kind: "transition", positions: [], fps: 30, chunks: [] } as const;
  const after = stateAfterMove(scene, "00000000-0000-4000-8000-000000000002", scene, undefined, move);
  const { journal } = await WorldJournal.open(journalFile(folder), join(folder, "/"));
  const head = { id: FORGED_WORLD, backend: "actionworld", created_at: "2026-01-01T00:00:00.000Z" } as const;
  const graph = { state: after, checkpoints: [], edges: [] };
  const session = { sessionId: "00000000-0000-4000-8000-000000000003", lastNumber: 2, lastNode: 2, jobs: [] };
  await journal.start(head, { ...session, graph, chain: 2 }, [first, last]);
  await journal.close();
  return FORGED_WORLD;
}
