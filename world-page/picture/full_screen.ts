import { byId } from "../ui/dom.ts";

/** Shows the picture in the whole screen, or in the whole window where the browser does not give away the screen. */
export class FullScreen {
  readonly #world = byId("world", HTMLElement);
  readonly #button = byId("full", HTMLButtonElement);

  constructor() {
    this.#button.addEventListener("click", () => this.toggle());
    document.addEventListener("fullscreenchange", () => this.#set(document.fullscreenElement === this.#world));
  }

  /** Whether it is on. */
  get isOn(): boolean {
    return this.#world.classList.contains("full");
  }

  /** Turns it on or off. */
  toggle(): void {
    if (this.isOn) return this.leave();
    this.#set(true);
    // A refusal leaves the picture in the whole window.
    void this.#world.requestFullscreen?.().catch(() => {});
  }

  /** Turns it off. */
  leave(): void {
    this.#set(false);
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  }

  #set(on: boolean): void {
    this.#world.classList.toggle("full", on);
    this.#button.setAttribute("aria-pressed", String(on));
  }
}
