import { byId } from "./dom.ts";

/** The messages of the page: news politely, errors at once. Both are live regions. */
export class Messages {
  readonly #message = byId("message", HTMLElement);
  readonly #error = byId("error", HTMLElement);
  #failure: unknown;

  /** Shows news and clears the last error. */
  say(text: string): void {
    this.#failure = undefined;
    this.#message.textContent = text;
    this.#error.textContent = "";
  }

  /** Shows an error with its own message. */
  fail(error: unknown): void {
    this.#failure = error;
    this.#error.textContent = `${error instanceof Error ? error.message : String(error)}.`;
    this.#message.textContent = "";
  }

  /** Says that the last error is over, if it is the one that is shown. */
  over(isOver: (error: unknown) => boolean, text: string): void {
    if (this.#failure !== undefined && isOver(this.#failure)) this.say(text);
  }

  /** Runs an action and shows its failure. */
  async attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.fail(error);
    }
  }
}
