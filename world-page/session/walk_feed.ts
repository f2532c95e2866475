import type { WorldClient } from "../../lib/world/client/world_client.ts";
import type { WalkRecord } from "../../lib/world/protocol/walk_record.ts";
import { fromWire } from "../../lib/world/protocol/wire_form.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";

const WALK = "/v1/world/session/walk";

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
    const walk = fromWire<WalkRecord>(JSON.parse(new TextDecoder().decode(await this.#client.media(WALK))));
    if (known !== this.#known) return walk; // a later one is on its way
    this.#walk = walk;
    this.#onChange(walk);
    return walk;
  }
}
