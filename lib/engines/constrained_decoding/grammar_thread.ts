/**
 * A thread that compiles grammars and matches answers, from the side that calls it.
 *
 * @module
 */
import { RpcClient } from "../../platform/rpc/rpc_client.ts";
import type { WorkerHandle } from "../../platform/rpc/rpc_port.ts";
import type { OutputConstraint, TokenConstraint } from "../contract/language_model.ts";
import type { GrammarService, PackedVocabulary } from "./grammar_service.ts";

/** Grammars that a thread is known to have: fewer than it keeps. */
const MAX_KNOWN = 16;

/** A thread, as this side sees it. */
export class GrammarThread {
  readonly client: RpcClient<GrammarService>;
  readonly ended: Promise<Error>;
  readonly #worker: Promise<WorkerHandle>;
  /** Resolves when it has its vocabulary. */
  readonly opened: Promise<void>;
  readonly #known = new Set<string>();
  /** Answers that are matched. */
  matches = 0;
  isCompiling = true;

  constructor(worker: Promise<WorkerHandle>, vocabulary: PackedVocabulary) {
    this.#worker = worker;
    this.ended = worker.then(({ ended }) => ended, (error) => error)
      .then((cause) => cause ?? new Error("Cannot match an answer: its thread was ended"));
    let listen: (message: unknown) => void = () => {};
    worker.then((handle) => handle.onMessage((message) => listen(message)), () => {});
    this.client = new RpcClient<GrammarService>({
      send: async (message, transfer) => (await worker).send(message, transfer),
      onMessage: (listener) => listen = listener,
    }, { ended: this.ended });
    this.opened = this.client.call("open", [vocabulary]);
    this.opened.catch(() => {});
  }

  get isIdle(): boolean {
    return !this.isCompiling && this.matches === 0;
  }

  get known(): number {
    return this.#known.size;
  }

  knows(key: string): boolean {
    if (!this.#known.delete(key)) return false;
    this.#known.add(key); // the least recently used one comes first
    return true;
  }

  learn(key: string): void {
    this.#known.add(key);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.values().next().value!);
  }

  async compile(constraint: OutputConstraint, signal: AbortSignal): Promise<void> {
    await this.client.call("compile", [constraint], { signal, leaves: true });
  }

  terminate(): void {
    this.#worker.then((worker) => worker.terminate(), () => {});
  }
}

/** A match in a thread. The mask after an accepted token is computed while the model computes its logits. */
export class ThreadMatch implements TokenConstraint {
  readonly #client: RpcClient<GrammarService>;
  readonly #id: number;
  readonly #onClose: () => void;
  #next: Promise<Int32Array> | undefined;

  constructor(client: RpcClient<GrammarService>, id: number, onClose: () => void) {
    this.#client = client;
    this.#id = id;
    this.#onClose = onClose;
  }

  mask(): Promise<Int32Array> {
    const next = this.#next ?? this.#ask();
    this.#next = undefined;
    return next;
  }

  async accept(id: number): Promise<boolean> {
    this.#next = undefined;
    const accepted = await this.#client.call("accept", [this.#id, id]);
    if (accepted) {
      this.#next = this.#ask();
      this.#next.catch(() => {}); // an answer that ends with this token never asks for the next mask
    }
    return accepted;
  }

  close(): void {
    this.#client.call("end", [this.#id]).catch(() => {});
    this.#onClose();
  }

  #ask(): Promise<Int32Array> {
    return this.#client.call("mask", [this.#id]);
  }
}
