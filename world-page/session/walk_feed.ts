import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { WalkRecord } from "../../lib/world/protocol/walk_record.ts";
import { inverseCamera } from "../../lib/world/protocol/camera_keys.ts";
import type { CameraRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";

/** Keeps the record of the walk up to date: it is fetched again when a snapshot shows other states. */
export class WalkFeed {
  readonly #client: WorldClient;
  readonly #onChange: (walk: WalkRecord) => void;
  #walk: WalkRecord | undefined;
  #known = "";

  /** @param onChange Called with every new record. */
  constructor(client: WorldClient, onChange: (walk: WalkRecord) => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** The last record; undefined while there is none. */
  get walk(): WalkRecord | undefined {
    return this.#walk;
  }

  /** The record that has all states of a snapshot. */
  async of({ sessionId, states }: WorldSnapshot): Promise<WalkRecord> {
    const walk = this.#walk;
    const known = new Set(walk?.sessionId === sessionId ? walk.states.map(({ stateId }) => stateId) : []);
    return walk && states.every(({ stateId }) => known.has(stateId)) ? walk : await this.fetch();
  }

  /** Takes a snapshot. */
  snapshot({ sessionId, currentStateId, states }: WorldSnapshot): void {
    const known = [sessionId, currentStateId, ...states.map(({ stateId }) => stateId)].join();
    if (known === this.#known) return;
    this.#known = known;
    // A record that cannot be fetched now is fetched with the next snapshot.
    void this.fetch().catch(() => void (this.#known = ""));
  }

  /** Fetches the record now. */
  async fetch(): Promise<WalkRecord> {
    const known = this.#known;
    const walk = await this.#client.walk();
    if (known !== this.#known) return walk; // a later one is on its way
    this.#walk = walk;
    this.#onChange(walk);
    return walk;
  }
}

/** The camera move that led to a state; undefined where another kind of move did, or one that is no longer known. */
export function cameraTo(walk: WalkRecord | undefined, stateId: string): CameraRecord | undefined {
  const request = walk?.states.find((state) => state.stateId === stateId)?.move?.request;
  return request && "camera" in request ? request.camera : undefined;
}

/** The states that successive inverse moves lead back to. */
export function reversibleStates(
  walk: WalkRecord | undefined,
  { stateIds: path, states }: WorldSnapshot,
): ReadonlySet<string> {
  const kept = new Set(states.filter(({ retained }) => retained).map(({ stateId }) => stateId));
  const reached = new Set<string>();
  for (let i = path.length - 1; i > 0; i--) {
    const camera = cameraTo(walk, path[i]);
    if (!camera || !inverseCamera(camera) || !kept.has(path[i - 1])) break;
    reached.add(path[i - 1]);
  }
  return reached;
}

/** The prompt of the move that led to the current state; undefined at a source image, and where it is no longer known. */
export function lastPrompt(walk: WalkRecord | undefined): string | undefined {
  return walk?.states.find(({ stateId }) => stateId === walk.currentStateId)?.move?.request?.prompt;
}
