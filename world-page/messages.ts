import { byId } from "./dom.ts";

/** What the page tells the person in words: news politely, errors at once. Both are live regions. */
export class Messages {
  readonly #message = byId("message", HTMLElement);
  readonly #error = byId("error", HTMLElement);

  /** Tells what has happened; the last error is over with it. */
  say(text: string): void {
    this.#message.textContent = text;
    this.#error.textContent = "";
  }

  /** Tells what could not be done, in the words of whoever refused it. */
  fail(error: unknown): void {
    this.#error.textContent = `${error instanceof Error ? error.message : String(error)}.`;
    this.#message.textContent = "";
  }

  /** Does something that may fail. */
  async attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.fail(error);
    }
  }
}
