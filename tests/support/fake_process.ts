import { settle } from "./fake_clock.ts";

/** A process that ends on request. */
export class FakeProcess {
  readonly processID = 4242;
  readonly device = "cpu";
  readonly loadSeconds = 1.5;
  readonly exited: Promise<string>;
  #leave!: (why: string) => void;
  trims = 0;
  stopped = false;

  constructor() {
    this.exited = new Promise((resolve) => this.#leave = resolve);
  }

  /** Ends it from within. */
  crash(): void {
    this.#leave("crashed");
  }

  trim(): Promise<void> {
    this.trims++;
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await settle();
    this.stopped = true;
    this.#leave("stopped");
  }
}
