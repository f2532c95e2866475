import { WorldApiError } from "../../lib/world/client/world_api_error.ts";
import type { SessionFeed } from "./session_feed.ts";

const RETRIES = 20;
const RETRY_WAIT = 100;

/** Serializes everything that changes the session, so that the server does not refuse it as busy. */
export class Turns {
  readonly #feed: SessionFeed;
  #last: Promise<unknown> = Promise.resolve();

  constructor(feed: SessionFeed) {
    this.#feed = feed;
  }

  /** Runs an action once all earlier ones are done and no job runs. */
  async take<T>(action: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#whenIdle(action));
    this.#last = done.catch(() => {});
    return await done;
  }

  async #whenIdle<T>(action: () => Promise<T>): Promise<T> {
    for (let attempt = 1;; attempt++) {
      await this.#feed.idle();
      try {
        return await action();
      } catch (error) {
        // Another client was faster.
        if (!(error instanceof WorldApiError) || error.code !== "session_busy" || attempt === RETRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_WAIT));
        await this.#feed.refresh();
      }
    }
  }
}
