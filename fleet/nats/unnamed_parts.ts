/**
 * Parts of objects that were never finished: their writer was killed before it wrote the entry.
 *
 * @module
 */
import type { JetStreamManager } from "@nats-io/jetstream";

/** Milliseconds after its last part after which nobody writes an object to its end. */
const GRACE = 60 * 60_000;

/** The parts of a store as they were at one moment, less those that are named afterwards. */
export class UnnamedParts {
  readonly #manager: JetStreamManager;
  readonly #stream: string;
  readonly #subjects: Set<string>;

  private constructor(manager: JetStreamManager, stream: string, subjects: Set<string>) {
    this.#manager = manager;
    this.#stream = stream;
    this.#subjects = subjects;
  }

  /** Finds the parts of all objects; read their names after that. */
  static async find(manager: JetStreamManager, stream: string, filter: string): Promise<UnnamedParts> {
    const { state } = await manager.streams.info(stream, { subjects_filter: filter });
    return new UnnamedParts(manager, stream, new Set(Object.keys(state.subjects ?? {})));
  }

  /** An entry has these parts. */
  named(subject: string): void {
    this.#subjects.delete(subject);
  }

  /** Removes those that no entry has, but those that are still being written. */
  async remove(now: number): Promise<void> {
    for (const subject of this.#subjects) {
      const last = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject });
      if (last && last.time.getTime() < now - GRACE) {
        await this.#manager.streams.purge(this.#stream, { filter: subject, seq: last.seq + 1 });
      }
    }
  }
}
