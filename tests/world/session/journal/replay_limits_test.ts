import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "node:path";
import type { BlockRequest } from "../../../../lib/models/world/world_model.ts";
import type { ClipOptions, ClipRequest } from "../../../../lib/models/world/clip_model.ts";
import { journalFile, stateStore } from "../../../../lib/world/host/journal_files.ts";
import { KeptChain } from "../../../../lib/world/session/journal/kept_chain.ts";
import { replayLimit } from "../../../../lib/world/session/journal/replay_limits.ts";
import { WorldJournal } from "../../../../lib/world/session/journal/world_journal.ts";
import { FakeClipModel } from "../../../support/fake_clip_model.ts";
import { keptWorld } from "../../../support/kept_world.ts";
import { withFolder } from "../../../support/temporary_folder.ts";

type Kind = "arworld" | "actionworld";

/** Makes a world of one move, and writes other requests into its journal. */
async function forged(folder: string, backend: Kind, request: Record<string, unknown>): Promise<void> {
  const made = await keptWorld(folder, { backend });
  await made.begin();
  await made.move("forward");
  await made.session.close();
  const { journal, found } = await WorldJournal.open(journalFile(folder), join(folder, "/"));
  const nodes = [...found.nodes.values()];
  for (const node of nodes) if (node.request) Object.assign(node, { request: { ...node.request, ...request } });
  await journal.start(found.head!, found.image, nodes, found.origin);
  await journal.close();
}

const clip = (frames: number): Partial<ClipRequest> => ({ frames, actions: new Float32Array(9 * (frames - 1)) });
const recalled = { frame: 0, latent: 0, strength: 0 };
const memory = (change: Partial<NonNullable<BlockRequest["memory"]>>) => ({
  memory: { recall: [], store: [], forget: [], ...change },
});
const beyond: [Kind, string, Record<string, unknown>][] = [
  ["actionworld", "2,001 frames of 1,000 steps", { ...clip(2001), steps: 1000 }],
  ["actionworld", "frames that are not 4n + 1", clip(1003)],
  ["actionworld", "a prompt of a million characters", { prompt: "x".repeat(1_000_000) }],
  ["actionworld", "more actions than frames", { actions: new Float32Array(9 * 1999) }],
  ["actionworld", "a guidance scale below 0", { guidanceScale: -1 }],
  ["actionworld", "a shift of 0", { shift: 0 }],
  ["arworld", "recalls of the same frame", memory({ recall: new Array(50_000).fill(recalled) })],
  ["arworld", "frames that a block has not", memory({ store: [{ frame: 3, latent: 3 }] })],
  ["arworld", "a recall beyond the latent itself", memory({ recall: [{ ...recalled, strength: 2 }] })],
  ["arworld", "what it forgets", memory({ forget: new Array(50_000).fill(1) })],
  ["arworld", "half of the views", { views: new Float32Array(24) }],
];

for (const [backend, what, request] of beyond) {
  test(`an ${backend} whose journal asks for ${what} continues from its picture, and nothing is rebuilt`, () =>
    withFolder(async (folder) => {
      await forged(folder, backend, request);
      const { session, model, clips, events, move } = await keptWorld(folder, { backend });
      assert.equal(session.continuity, "picture");
      assert.deepEqual(events, ["world_from_picture"]);
      await session.prepare();
      assert.deepEqual([...model.calls, ...clips.calls], ["prepare"]);
      assert.equal((await move("forward")).status, "completed");
      await session.close();
    }));
}

test("a journal within the limits of requests is made again, up to the most that a request may ask for", () =>
  withFolder(async (folder) => {
    await forged(folder, "actionworld", { ...clip(1005), steps: 1000, prompt: "x".repeat(4096) });
    const { session, clips } = await keptWorld(folder, { backend: "actionworld" });
    assert.equal(session.continuity, "exact");
    await session.prepare();
    assert.deepEqual(clips.requests.map(({ frames, steps }) => [frames, steps]), [[1005, 1000]]);
    await session.close();
  }));

test("a replay gets ten times the seconds of its record, at least a minute and at most an hour", () => {
  const limit = (...seconds: number[]): number => replayLimit(seconds.map((seconds, id) => ({ id, seconds })));
  assert.deepEqual([limit(), limit(0.5, 2), limit(10, 5), limit(1e12)], [60, 60, 150, 3600]);
});

/** A chain of one clip that took `seconds`, in a process whose steps take `step` seconds each. */
async function slowReplay(folder: string, seconds: number, step: number) {
  let now = 0;
  const options = { files: stateStore(folder), now: () => now };
  const first = new KeptChain<ClipRequest, ClipOptions>(new FakeClipModel(), options);
  await first.begin({ width: 16, height: 16, data: new Uint8Array(768) }, { width: 16, height: 16 });
  const request = { prompt: "", seed: 1n, fps: 30, steps: 200, guidanceScale: 1, shift: 3 };
  await first.generate({ ...request, ...clip(5) } as ClipRequest, { onProgress: () => void (now += 5 * seconds) });
  const node = { ...first.current!, seconds };
  const model = new FakeClipModel();
  let steps = 0;
  model.onStep = () => {
    steps++;
    now += 1000 * step;
  };
  const chain = new KeptChain<ClipRequest, ClipOptions>(model, options);
  chain.adopt(node, [], 2);
  return { chain, steps: () => steps };
}

test("a replay that takes far longer than its record says is stopped between two steps", () =>
  withFolder(async (folder) => {
    const { chain, steps } = await slowReplay(folder, 0.5, 2);
    await assert.rejects(chain.wake(), { code: "state_invalid", message: /far longer than it took/ });
    assert.equal(steps(), 32);
    assert.equal(chain.isAwake, false);
  }));

test("a replay that takes no longer than its record says is finished, however long that is", () =>
  withFolder(async (folder) => {
    const { chain, steps } = await slowReplay(folder, 400, 2);
    await chain.wake();
    assert.deepEqual([steps(), chain.isAwake], [200, true]);
  }));

/** A world whose state is being made again: its second step waits. */
async function replaying(folder: string) {
  await forged(folder, "actionworld", { steps: 1000 });
  const world = await keptWorld(folder, { backend: "actionworld" });
  let steps = 0;
  let begin = (): void => {};
  let goOn = (): void => {};
  const begun = new Promise<void>((resolve) => begin = resolve);
  const gate = new Promise<void>((resolve) => goOn = resolve);
  world.clips.onStep = async () => {
    if (++steps !== 2) return;
    begin();
    await gate;
  };
  return { ...world, begun, goOn, steps: () => steps };
}

test("disconnecting stops a replay between two steps, and the next one makes the state", () =>
  withFolder(async (folder) => {
    const { session, begun, goOn, steps, clips } = await replaying(folder);
    const leaving = new AbortController();
    const left = new Error("left");
    const waiting = session.prepare({}, leaving.signal);
    await begun;
    leaving.abort(left);
    goOn();
    await assert.rejects(waiting, left);
    assert.deepEqual([steps(), session.isBusy, session.continuity], [2, false, "exact"]);
    clips.onStep = undefined;
    await session.prepare();
    assert.equal(clips.requests.length, 2);
    await session.close();
  }));

test("closing a world stops its replay between two steps", () =>
  withFolder(async (folder) => {
    const { session, begun, goOn, steps } = await replaying(folder);
    const waiting = session.prepare();
    await begun;
    const closed = session.close();
    await assert.rejects(waiting, { code: "server_stopping" });
    goOn();
    await closed;
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(steps(), 2);
  }));
