/**
 * The side that calls.
 *
 * @module
 */
import { type CarriedError, reviveError } from "../../errors/carried_error.ts";
import { show } from "../../errors/show.ts";
import type { RpcPort } from "./rpc_port.ts";
import { isRpcMessage, type RpcMessage, type RpcRequest, type Service } from "./rpc_service.ts";

/** Options of an {@linkcode RpcClient}. */
export interface RpcClientOptions {
  /** Resolves when the other side has ended, with what calls fail with from then on. */
  readonly ended?: Promise<Error> | undefined;
  /** Ends the other side when it has not ended a cancelled call after so many milliseconds. */
  readonly hangs?: { readonly after: number; readonly kill: () => void } | undefined;
  /** Puts an error together; default: `SvcError` where it was one. */
  readonly revive?: ((error: CarriedError) => Error) | undefined;
}

/** Options of a call. */
export interface CallOptions<Event> {
  /** Cancels the call. It rejects with the reason once the other side has ended it. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it rejects as soon as the signal aborts; what comes afterwards is ignored. */
  readonly leaves?: boolean;
  /**
   * Called on every event before the answer, in order. What it throws cancels the call, which fails with it. Where the
   * other side waits, it continues when this has resolved.
   */
  readonly onEvent?: ((event: Event) => void | Promise<void>) | undefined;
  /** Buffers of the arguments to move. */
  readonly transfer?: readonly ArrayBuffer[];
}

interface OpenCall {
  readonly method: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onEvent: ((event: never) => void | Promise<void>) | undefined;
  /** Cancels the call, which fails with this. */
  readonly fail: (error: unknown) => void;
}

/**
 * Calls a service at the other end of a port.
 *
 * @example
 * ```ts ignore
 * const client = new RpcClient<Sums>(worker);
 * console.assert(await client.call("add", [1, 2]) === 3);
 * ```
 */
export class RpcClient<S extends Service> {
  readonly #port: RpcPort;
  readonly #options: RpcClientOptions;
  readonly #open = new Map<number, OpenCall>();
  #lastId = 0;
  #closed: Error | undefined;

  constructor(port: RpcPort, options: RpcClientOptions = {}) {
    this.#port = port;
    this.#options = options;
    port.onMessage((message) => isRpcMessage(message) && this.#hear(message));
    void options.ended?.then((cause) => this.close(cause));
  }

  /** What calls fail with, once the other side has ended. */
  get closed(): Error | undefined {
    return this.#closed;
  }

  /** Fails open calls and those that follow; a second call does nothing. */
  close(cause: Error): void {
    if (this.#closed) return;
    this.#closed = cause;
    for (const { reject } of this.#open.values()) reject(cause);
    this.#open.clear();
  }

  /**
   * Calls a method and waits for its answer.
   *
   * @throws what the method throws, what has ended the other side, and {@linkcode CallOptions} say what else.
   */
  async call<M extends keyof S & string>(
    method: M,
    args: S[M]["args"],
    { signal, leaves = false, onEvent, transfer }: CallOptions<S[M]["event"]> = {},
  ): Promise<S[M]["answer"]> {
    signal?.throwIfAborted();
    if (this.#closed) throw this.#closed;
    const { hangs } = this.#options;
    const id = ++this.#lastId;
    let failed: { readonly error: unknown } | undefined;
    let cancelled = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cancel = (): void => {
      if (cancelled) return;
      cancelled = true;
      this.#send({ kind: "cancel", id }).catch(() => {});
      if (leaves) this.#open.get(id)?.reject(signal?.reason);
      else if (hangs) timer = setTimeout(hangs.kill, hangs.after);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const answer = await new Promise<S[M]["answer"]>((resolve, reject) => {
        const fail = (error: unknown): void => {
          failed ??= { error };
          cancel();
        };
        this.#open.set(id, { method, resolve, reject, onEvent, fail });
        this.#send({ kind: "call", id, method, args }, transfer).catch(reject);
      });
      if (failed) throw failed.error;
      return answer;
    } catch (error) {
      throw failed ? failed.error : signal?.aborted ? signal.reason : error;
    } finally {
      this.#open.delete(id);
      signal?.removeEventListener("abort", cancel);
      clearTimeout(timer);
    }
  }

  /** Messages about calls that have ended are ignored. */
  #hear(message: RpcMessage): void {
    const { kind, id } = message;
    const call = this.#open.get(id);
    if (!call) return;
    if (kind === "event") return void this.#take(id, call, message);
    this.#open.delete(id);
    if (kind === "answer") return call.resolve(message.answer);
    if (kind === "error" && isCarriedError(message.error)) return call.reject(this.#revive(message.error));
    const found = kind === "error" ? "an error without a message" : `a message of kind ${show(kind)}`;
    const error = new Error(`Cannot read the answer to ${call.method}: found ${found}, expected an answer or an error`);
    call.fail(error);
    call.reject(error);
  }

  async #take(id: number, { onEvent, fail }: OpenCall, { event, waits }: RpcMessage): Promise<void> {
    try {
      await onEvent?.(event as never);
    } catch (error) {
      fail(error);
    }
    if (waits === true) await this.#send({ kind: "taken", id }).catch(() => {});
  }

  #revive(error: CarriedError): Error {
    return (this.#options.revive ?? reviveError)(error);
  }

  async #send(request: RpcRequest, transfer?: readonly ArrayBuffer[]): Promise<void> {
    await this.#port.send(request, transfer);
  }
}

function isCarriedError(error: unknown): error is CarriedError {
  if (typeof error !== "object" || error === null) return false;
  const { name, message } = error as Partial<CarriedError>;
  return typeof name === "string" && typeof message === "string";
}
