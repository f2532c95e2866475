/**
 * The side that serves calls.
 *
 * @module
 */
import { carryError } from "../../errors/carried_error.ts";
import { show } from "../../errors/show.ts";
import type { RpcPort } from "./rpc_port.ts";
import { buffersIn, isRpcMessage, Moved, type RpcReply, type Service } from "./rpc_service.ts";

/** A running call, as its handler sees it. */
export interface ServedCall<Event> {
  /** Aborts when the caller gives the call up, an event cannot be sent, or the server closes. */
  readonly signal: AbortSignal;
  /**
   * Says something. Resolves when it is on its way; what cannot be sent aborts the signal and fails the call.
   *
   * @param transfer Buffers to move.
   */
  tell(event: Event, transfer?: readonly ArrayBuffer[]): Promise<void>;
  /**
   * Says something and resolves when the caller has taken it, so that a slow one slows the call down. One event is under
   * way at a time.
   *
   * @throws the reason of `signal` when it aborts.
   */
  hand(event: Event, transfer?: readonly ArrayBuffer[]): Promise<void>;
}

type Awaitable<T> = T | Promise<T>;

/** The implementations of the methods of a service. */
export type Handlers<S extends Service> = {
  readonly [M in keyof S]: (
    call: ServedCall<S[M]["event"]>,
    ...args: S[M]["args"]
  ) => Awaitable<S[M]["answer"] | Moved<S[M]["answer"]>>;
};

/** A service that answers. */
export interface RpcServer {
  /** Aborts the calls that run; resolves when all of them have been answered. */
  close(reason?: unknown): Promise<void>;
}

/**
 * Answers the calls that arrive at a port, each as soon as it arrives. Messages that are not calls are ignored; a call
 * of what the service does not have is refused.
 *
 * @example
 * ```ts ignore
 * type Sums = { add: Method<[number, number], number> };
 * serveCalls<Sums>(await parentPort(), { add: (_call, a, b) => a + b });
 * ```
 */
export function serveCalls<S extends Service>(port: RpcPort, handlers: Handlers<S>): RpcServer {
  const running = new Map<number, { readonly call: RunningCall; readonly ended: Promise<void> }>();
  port.onMessage((message) => {
    if (!isRpcMessage(message)) return;
    const { kind, id } = message;
    if (kind === "cancel") running.get(id)?.call.abort();
    else if (kind === "taken") running.get(id)?.call.taken();
    else if (kind === "call" && !running.has(id)) {
      const call = new RunningCall(port, id);
      const ended = answer(call, message.method, message.args).finally(() => running.delete(id));
      running.set(id, { call, ended });
    }
  });

  async function answer(call: RunningCall, method: unknown, args: unknown): Promise<void> {
    try {
      const handler = typeof method === "string" && Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (!handler) throw new Error(`Cannot call ${show(method)}: there is no such method`);
      if (!Array.isArray(args)) {
        throw new Error(`Cannot call ${show(method)}: its arguments are ${show(args)}, expected a list`);
      }
      const found = await handler(call as ServedCall<never>, ...args);
      await call.drain();
      await call.answer(found);
    } catch (error) {
      await call.fail(error);
    }
  }

  return {
    close: async (reason) => {
      const calls = [...running.values()];
      for (const { call } of calls) call.abort(reason);
      await Promise.all(calls.map(({ ended }) => ended));
    },
  };
}

class RunningCall implements ServedCall<unknown> {
  readonly #port: RpcPort;
  readonly #id: number;
  readonly #abort = new AbortController();
  /** Why an event could not be sent. */
  #unsent: { readonly error: unknown } | undefined;
  /** The events that were handed over before, the last one taken. */
  #handed: Promise<unknown> = Promise.resolve();
  #onTaken: () => void = () => {};

  constructor(port: RpcPort, id: number) {
    this.#port = port;
    this.#id = id;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async tell(event: unknown, transfer?: readonly ArrayBuffer[]): Promise<void> {
    try {
      await this.#send({ kind: "event", id: this.#id, event, waits: false }, transfer);
    } catch (error) {
      this.#unsent ??= { error };
      this.abort(error);
    }
  }

  hand(event: unknown, transfer?: readonly ArrayBuffer[]): Promise<void> {
    const handed = this.#handed.then(() => this.#handOne(event, transfer));
    this.#handed = handed.catch(() => {}); // the handler awaits it
    return handed;
  }

  async #handOne(event: unknown, transfer?: readonly ArrayBuffer[]): Promise<void> {
    const { signal } = this;
    signal.throwIfAborted();
    let leave = (): void => {};
    const taken = new Promise<void>((resolve, reject) => {
      this.#onTaken = resolve;
      leave = () => reject(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
    });
    taken.catch(() => {}); // where it could not even be sent
    try {
      await this.#send({ kind: "event", id: this.#id, event, waits: true }, transfer);
      await taken;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  abort(reason?: unknown): void {
    this.#abort.abort(reason);
  }

  taken(): void {
    this.#onTaken();
  }

  /** Resolves when the caller has taken what it was handed. */
  async drain(): Promise<void> {
    await this.#handed;
    if (this.#unsent) throw this.#unsent.error;
  }

  async answer(found: unknown): Promise<void> {
    const [answer, transfer] = found instanceof Moved ? [found.value, buffersIn(found.value)] : [found, []];
    await this.#send({ kind: "answer", id: this.#id, answer }, transfer);
  }

  /** An error is plain data, so it can be sent; a caller that has disconnected does not receive it. */
  async fail(error: unknown): Promise<void> {
    try {
      await this.#send({ kind: "error", id: this.#id, error: carryError(error) });
    } catch {
      // no caller is left
    }
  }

  #send(reply: RpcReply, transfer?: readonly ArrayBuffer[]): void | Promise<void> {
    return this.#port.send(reply, transfer);
  }
}
