/**
 * A running operation in its engine's process.
 *
 * @module
 */
import { orAbort } from "../../scheduling/linked_signal.ts";
import type { EnginePort, EngineReply } from "./engine_messages.ts";
import type { OperationCall, Prepare } from "../contract/operation.ts";

/** Sends what an operation says: parts of the result one at a time, of its progress the last word. */
export class RunningOperation implements OperationCall<unknown> {
  readonly signal: AbortSignal;
  readonly #port: EnginePort<EngineReply, unknown>;
  readonly #id: number;
  readonly #folder: string | undefined;
  #progress: { readonly fraction: number; readonly stage: string } | undefined;
  #reporting: Promise<void> | undefined;
  /** The parts that were sent before, the last one taken. */
  #sent: Promise<void> = Promise.resolve();
  #onTaken: () => void = () => {};

  constructor(port: EnginePort<EngineReply, unknown>, id: number, folder: string | undefined, signal: AbortSignal) {
    this.#port = port;
    this.#id = id;
    this.#folder = folder;
    this.signal = signal;
  }

  get folder(): string {
    if (this.#folder !== undefined) return this.#folder;
    throw new Error("Cannot write a result: the caller of the operation gave no folder for files");
  }

  readonly prepare: Prepare = async (work) => {
    await this.#port.send({ kind: "preparing", id: this.#id });
    const prepared = await work();
    await this.#port.send({ kind: "prepared", id: this.#id });
    return prepared;
  };

  progress(fraction: number, stage: string): void {
    this.#progress = { fraction: Math.min(Math.max(fraction, 0), 1), stage };
    this.#reporting ??= this.#report();
  }

  async send(event: unknown): Promise<void> {
    const before = this.#sent;
    const sent = before.then(() => this.#sendOne(event));
    this.#sent = sent.catch(() => {}); // the caller awaits it and handles the failure
    await sent;
  }

  /** The server has taken the last part. */
  taken(): void {
    this.#onTaken();
  }

  /** Resolves when all progress has been sent. */
  async drain(): Promise<void> {
    await this.#reporting;
  }

  async #sendOne(event: unknown): Promise<void> {
    this.signal.throwIfAborted();
    const taken = new Promise<void>((resolve) => this.#onTaken = resolve);
    await this.#port.send({ kind: "event", id: this.#id, event });
    await orAbort(taken, this.signal);
  }

  async #report(): Promise<void> {
    while (this.#progress !== undefined) {
      const report = this.#progress;
      this.#progress = undefined;
      await this.#port.send({ kind: "progress", id: this.#id, ...report });
    }
    this.#reporting = undefined;
  }
}
