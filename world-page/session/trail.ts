import type { CameraRecord, JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { inverseCamera } from "../../lib/world/protocol/camera_keys.ts";

const KEY = "svc.trail";
const KEPT = 256;

/**
 * Remembers the move that led to each state, which the server only reports in the receipt of that move. It is stored
 * for the tab, so that inverse moves work after a reload too.
 */
export class Trail {
  readonly #storage: Storage;
  readonly #cameras: Map<string, CameraRecord>;

  /** @param storage Storage that lives as long as the tab. */
  constructor(storage: Storage) {
    this.#storage = storage;
    this.#cameras = new Map(JSON.parse(storage.getItem(KEY) ?? "[]") as [string, CameraRecord][]);
  }

  /** Takes the receipt of a completed transition; a replay reaches no new state. */
  note({ receipt }: JobRecord): void {
    if (receipt === undefined || receipt.replayed || this.#cameras.has(receipt.stateId)) return;
    this.#cameras.set(receipt.stateId, receipt.camera);
    for (const id of [...this.#cameras.keys()].slice(0, -KEPT)) this.#cameras.delete(id);
    this.#storage.setItem(KEY, JSON.stringify([...this.#cameras]));
  }

  /** The move that led to a state, if this tab has seen it. */
  cameraTo(stateId: string): CameraRecord | undefined {
    return this.#cameras.get(stateId);
  }

  /** The states that successive inverse moves lead back to. */
  reversible({ stateIds: path, states }: WorldSnapshot): ReadonlySet<string> {
    const kept = new Set(states.filter(({ retained }) => retained).map(({ stateId }) => stateId));
    const reached = new Set<string>();
    for (let i = path.length - 1; i > 0; i--) {
      const camera = this.cameraTo(path[i]);
      if (!camera || !inverseCamera(camera) || !kept.has(path[i - 1])) break;
      reached.add(path[i - 1]);
    }
    return reached;
  }
}
