/**
 * Reads images in a process of its own.
 *
 * @module
 */
import { modelUnavailable } from "../../../errors/svc_error.ts";
import { basename } from "../../../platform/files/paths.ts";
import { type ForkedProcess, forkProcess } from "../../../platform/processes/fork_process.ts";
import { RpcClient } from "../../../platform/rpc/rpc_client.ts";
import { siblingModule } from "../../../platform/workers/spawn_worker.ts";
import { orAbort } from "../../../scheduling/linked_signal.ts";
import type { ReaderService, ReaderSettings } from "./reader_service.ts";

/** What llama.cpp says about its failures; other lines have the texts of chats. */
const COMPLAINT =
  /^(?:mtmd|clip|llama|gguf)_\w+: (?:error: )?(.*\b(?:error|fail|failed|mismatch|unable|unknown)\b.*)$/i;
const COMPLAINT_LENGTH = 300;

/** A process. */
interface Running {
  readonly child: ForkedProcess;
  readonly client: RpcClient<ReaderService>;
  /** Rejects when its library does not work. */
  readonly opened: Promise<void>;
}

/**
 * A model with its projector in another process, which is started for the first image and reads one text at a time.
 */
export class ImageReader {
  readonly #settings: ReaderSettings;
  readonly #module: URL;
  #running: Running | undefined;
  #complaint: string | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: ReaderSettings, module: URL = siblingModule("image_reader_process", import.meta.url)) {
    this.#settings = settings;
    this.#module = module;
  }

  /**
   * Does what is asked for when what was asked for earlier is done.
   *
   * @throws {SvcError} `model_unavailable` when the library or the projector does not work.
   * @throws the reason of `signal` when it aborts, at once.
   */
  async ask<M extends "tokenize" | "evaluate">(
    method: M,
    text: ReaderService[M]["args"][0],
    signal: AbortSignal,
  ): Promise<ReaderService[M]["answer"]> {
    const turn = this.#last.then(() => this.#ask(method, text, signal));
    this.#last = turn.catch(() => {});
    try {
      return await orAbort(turn, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  /** Ends the process and frees its memory; the next request starts another one. */
  async stop(): Promise<void> {
    const { child } = this.#running ?? {};
    this.#running = undefined;
    child?.kill();
    await child?.exited;
  }

  async #ask<M extends "tokenize" | "evaluate">(
    method: M,
    text: ReaderService[M]["args"][0],
    signal: AbortSignal,
  ): Promise<ReaderService[M]["answer"]> {
    signal.throwIfAborted();
    this.#complaint = undefined;
    const { client, opened } = this.#running ??= this.#start();
    try {
      await orAbort(opened, signal);
      return await client.call(method, [text], { signal, leaves: true });
    } catch (error) {
      // Native code cannot be interrupted, and after a failure its state is unknown.
      await this.stop();
      throw this.#failed(error as Error);
    }
  }

  #start(): Running {
    const child = forkProcess(this.#module, {
      onLine: (line) => {
        const [, complaint] = COMPLAINT.exec(line) ?? [];
        if (complaint !== undefined) this.#complaint ??= complaint.slice(0, COMPLAINT_LENGTH);
      },
      ended: (how) => new Error(`its process has ended (${how})`),
    });
    const client = new RpcClient<ReaderService>(child, { ended: child.exited });
    const opened = client.call("open", [this.#settings]);
    opened.catch(() => {}); // the first text fails with it
    return { child, client, opened };
  }

  #failed(cause: Error): Error {
    const reason = this.#complaint === undefined ? cause.message : `llama.cpp says "${this.#complaint}"`;
    const projector = basename(this.#settings.projector);
    const expected = /npm install/.test(reason)
      ? ""
      : `, expected ${projector} to be this model's projector, which llama.cpp runs within the free memory: download it ` +
        "again, or send texts alone";
    return modelUnavailable("model_unavailable", `Cannot read the images: ${reason}${expected}`, cause);
  }
}
