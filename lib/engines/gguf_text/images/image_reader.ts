/**
 * Reads images in a process of its own.
 *
 * @module
 */
import { modelUnavailable } from "../../../errors/svc_error.ts";
import { basename } from "../../../platform/files/paths.ts";
import { type ForkedProcess, forkProcess } from "../../../platform/processes/fork_process.ts";
import { siblingModule } from "../../../platform/workers/spawn_worker.ts";
import type { ReaderReply, ReaderRequest, ReaderSettings } from "./reader_messages.ts";

type Request = Exclude<ReaderRequest, { kind: "open" }>;
type ReplyTo<R extends Request> = Extract<
  ReaderReply,
  { kind: R extends { kind: "tokenize" } ? "tokens" : "state" }
>;

/** What llama.cpp says about its failures; other lines have the texts of chats. */
const COMPLAINT =
  /^(?:mtmd|clip|llama|gguf)_\w+: (?:error: )?(.*\b(?:error|fail|failed|mismatch|unable|unknown)\b.*)$/i;
const COMPLAINT_LENGTH = 300;

/** A process, and what it does. */
interface Running {
  readonly child: ForkedProcess;
  hear: (reply: ReaderReply) => void;
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
  async ask<R extends Request>(request: R, signal: AbortSignal): Promise<ReplyTo<R>> {
    let leave = (): void => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener("abort", leave);
    });
    const turn = this.#last.then(async () => {
      signal.throwIfAborted();
      return await this.#ask(request, left);
    });
    this.#last = turn.catch(() => {});
    try {
      signal.throwIfAborted();
      return await Promise.race([turn, left]) as ReplyTo<R>;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Ends the process and frees its memory; the next request starts another one. */
  async stop(): Promise<void> {
    const { child } = this.#running ?? {};
    this.#running = undefined;
    child?.kill();
    await child?.exited;
  }

  async #ask(request: Request, left: Promise<never>): Promise<ReaderReply> {
    this.#complaint = undefined;
    const running = this.#running ??= this.#start();
    const { child } = running;
    try {
      const reply = new Promise<ReaderReply>((resolve) => running.hear = resolve);
      void child.send(request);
      const ended = child.exited.then((error) => {
        throw error;
      });
      const answer = await Promise.race([reply, ended, left]);
      if (answer.kind !== "error") return answer;
      throw new Error(answer.message);
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
    const running: Running = { child, hear: () => {} };
    child.onMessage((message) => isReply(message) && running.hear(message));
    void child.send({ kind: "open", settings: this.#settings } satisfies ReaderRequest);
    return running;
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

/** Anything else on the channel is not a reply. */
function isReply(message: unknown): message is ReaderReply {
  return typeof message === "object" && message !== null && "kind" in message && typeof message.kind === "string";
}
