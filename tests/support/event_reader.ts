import assert from "node:assert/strict";
import { readServerSentEvents } from "../../lib/world/client/read_stream.ts";
import type { WorldEvent } from "../../lib/world/protocol/wire.ts";
import { assertMatches } from "./api_description.ts";
import type { Wire } from "../../lib/json/wire_form.ts";

const SCHEMAS = { snapshot: "WorldSnapshot", job: "JobRecord", chunk: "ChunkEvent" };

/** Where the API description says what an event is. */
const EVENT = "/paths/~1v1~1world~1events/get/responses/200/content/text~1event-stream/schema";

/** Reads the events of an answer one by one; each has to be what the API description says. */
export class EventReader {
  readonly #events: AsyncGenerator<{ id: string; event: string; data: string }, void, void>;

  constructor(response: Response) {
    assert.ok(response.body);
    this.#events = readServerSentEvents(response.body);
  }

  /** The next event; undefined when the stream has ended. */
  async next(): Promise<Wire<WorldEvent> | undefined> {
    const { done, value } = await this.#events.next();
    if (done) return undefined;
    assertMatches(EVENT, value, "event");
    const event = { ...value, data: JSON.parse(value.data) } as Wire<WorldEvent>;
    assertMatches(`/components/schemas/${SCHEMAS[event.event]}`, event.data, event.event);
    return event;
  }

  /** The events up to the first one that is wanted, which is the last of them. */
  async until(wanted: (event: Wire<WorldEvent>) => boolean): Promise<Wire<WorldEvent>[]> {
    const events: Wire<WorldEvent>[] = [];
    while (true) {
      const event = await this.next();
      assert.ok(event, "the stream has ended");
      events.push(event);
      if (wanted(event)) return events;
    }
  }

  /** Leaves the stream. */
  async leave(): Promise<void> {
    await this.#events.return();
  }
}
