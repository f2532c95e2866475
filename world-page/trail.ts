import type { CameraRecord, JobRecord } from "../lib/world/wire.ts";

const KEY = "svc.trail";
const KEPT = 256;

/**
 * Remembers by which move each state was reached, which the server tells only in the receipt of that move. It is kept
 * with the tab, so that the way back is known after a reload too.
 */
export class Trail {
  readonly #cameras: Map<string, CameraRecord>;

  constructor() {
    this.#cameras = new Map(JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string, CameraRecord][]);
  }

  /** Takes what a completed transition tells; a replay reaches no new state. */
  note({ receipt }: JobRecord): void {
    if (receipt === undefined || receipt.replayed || this.#cameras.has(receipt.state_id)) return;
    this.#cameras.set(receipt.state_id, receipt.camera);
    for (const id of [...this.#cameras.keys()].slice(0, -KEPT)) this.#cameras.delete(id);
    sessionStorage.setItem(KEY, JSON.stringify([...this.#cameras]));
  }

  /** The move that led to a state, when this tab has seen it. */
  cameraTo(stateId: string): CameraRecord | undefined {
    return this.#cameras.get(stateId);
  }
}
