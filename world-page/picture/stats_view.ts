import type { ChunkRecord, JobRecord } from "../../lib/world/protocol/job_record.ts";
import { byId, setText } from "../ui/dom.ts";

/** Time over which shown frames are counted, in milliseconds. */
const WINDOW = 1000;

/** Shows how long moves take to begin, and how many frames a second are made and shown. Hidden until it is asked for. */
export class StatsView {
  readonly #text = byId("stats", HTMLElement);
  readonly #button = byId("stats-on", HTMLButtonElement);
  readonly #video = byId("video", HTMLVideoElement);
  #asked: { readonly id: string; readonly at: number } | undefined;
  #latency: number | undefined;
  #made: number | undefined;
  #frames = 0;
  #shown: number[] = [];
  #stillness: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#button.addEventListener("click", () => this.#toggle());
  }

  /** A move was asked for at a time, in milliseconds of the page's clock. */
  asked({ jobId: id }: JobRecord, at: number): void {
    this.#asked = { id, at };
    this.#frames = 0;
  }

  /** A chunk can be shown now. */
  chunk(jobId: string, { blockIndex, pixelFrameCount }: ChunkRecord): void {
    if (jobId !== this.#asked?.id) return;
    const elapsed = performance.now() - this.#asked.at;
    if (blockIndex === 0) this.#latency = elapsed;
    this.#frames += pixelFrameCount;
    this.#made = this.#frames / elapsed * 1000;
    this.#show();
  }

  #toggle(): void {
    const on = this.#text.hidden;
    this.#text.hidden = !on;
    this.#button.setAttribute("aria-pressed", String(on));
    if (!on) return;
    this.#show();
    this.#count();
  }

  #count(): void {
    if (this.#text.hidden || !("requestVideoFrameCallback" in this.#video)) return;
    this.#video.requestVideoFrameCallback((now) => {
      this.#shown = [...this.#shown.filter((at) => at > now - WINDOW), now];
      clearTimeout(this.#stillness);
      // Of a video that stands still, nothing is shown any more.
      this.#stillness = setTimeout(() => {
        this.#shown = [];
        this.#show();
      }, WINDOW);
      this.#show();
      this.#count();
    });
  }

  #show(): void {
    if (this.#text.hidden) return;
    const number = (value: number | undefined, unit: string): string =>
      value === undefined ? "–" : `${Math.round(value)} ${unit}`;
    const lines = [
      `First frames after ${number(this.#latency, "ms")}`,
      `Made ${number(this.#made, "frames/s")}`,
      `Shown ${number(this.#rate, "frames/s")}`,
    ];
    setText(this.#text, lines.join("\n"));
  }

  /** Frames a second from the first to the last of those that have just been shown. */
  get #rate(): number | undefined {
    const [first = 0, ...others] = this.#shown;
    return others.length > 0 ? others.length / (others[others.length - 1] - first) * 1000 : undefined;
  }
}
