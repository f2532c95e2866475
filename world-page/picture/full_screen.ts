import { byId } from "../ui/dom.ts";

/** Shows the picture in the whole screen, or in the whole window where the browser does not give away the screen. */
export class FullScreen {
  readonly #world = byId("world", HTMLElement);
  readonly #button = byId("full", HTMLButtonElement);
  #hasLeft = false;

  constructor() {
    this.#button.addEventListener("click", () => this.toggle());
    document.addEventListener("fullscreenchange", () => this.#changed(document.fullscreenElement === this.#world));
  }

  /** Whether it is on. */
  get isOn(): boolean {
    return this.#world.classList.contains("full");
  }

  /** Turns it on or off. */
  toggle(): void {
    if (this.isOn) return this.leave();
    this.#set(true);
    this.#hasLeft = false;
    // A refusal leaves the picture in the whole window.
    void this.#world.requestFullscreen?.().catch(() => {});
  }

  /** Turns it off. */
  leave(): void {
    this.#set(false);
    this.#hasLeft = true;
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
  }

  #changed(on: boolean): void {
    if (on && this.#hasLeft) this.leave(); // the screen was given after it had been given up again
    else this.#set(on);
  }

  #set(on: boolean): void {
    this.#world.classList.toggle("full", on);
    this.#button.setAttribute("aria-pressed", String(on));
  }
}
