/**
 * One way for two threads or processes to talk: a service is declared once, as a type, one side serves it
 * (`serveCalls`), the other one calls it (`RpcClient`).
 *
 * A call has an answer and, before it, any number of events. It can be cancelled, fails with the error that was thrown
 * on the other side, and fails when that side ends. It is our own: of comlink, birpc, kkrpc, threads and capnweb none
 * passes an `AbortSignal` on, moves buffers, talks to child processes without turning bytes into text, and ends open
 * calls when the other side dies.
 *
 * @module
 */
import type { CarriedError } from "../../errors/carried_error.ts";

/** A method of a service. There are no such values: it holds the types. */
export interface Method<Args extends readonly unknown[], Answer = void, Event = never> {
  readonly args: Args;
  readonly answer: Answer;
  /** What the method says before it answers. */
  readonly event: Event;
}

/** Methods by name, declared as `type`: an interface has no index signature. */
export type Service = Readonly<Record<string, Method<readonly unknown[], unknown, unknown>>>;

/** The methods of an object as a service: those that take plain values and answer with a promise. */
export type ServiceOf<T, Names extends keyof T> = {
  readonly [N in Names]: T[N] extends (...args: infer Args) => Promise<infer Answer> ? Method<Args, Answer> : never;
};

/** What the calling side sends: a call under a new id, that nobody waits for its answer, that its event was taken. */
export type RpcRequest =
  | { readonly kind: "call"; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "taken"; readonly id: number };

/** What the serving side sends: events of a call, then its answer or error. */
export type RpcReply =
  | {
    readonly kind: "event";
    readonly id: number;
    readonly event: unknown;
    /** Whether the call continues once the event was taken. */
    readonly waits: boolean;
  }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "error"; readonly id: number; readonly error: CarriedError };

/** A message as it arrives: nothing but its kind and its call is known. */
export type RpcMessage = { readonly kind: string; readonly id: number } & Readonly<Record<string, unknown>>;

/** Whether something that arrived is a message about a call; others on the channel are ignored. */
export function isRpcMessage(message: unknown): message is RpcMessage {
  if (typeof message !== "object" || message === null) return false;
  const { kind, id } = message as Partial<RpcMessage>;
  return typeof kind === "string" && Number.isSafeInteger(id);
}

/** An answer whose memory this side has no more use for. */
export class Moved<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/** The memory of the typed arrays that a value consists of. */
export function buffersIn(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return [...new Set(Object.values(value).flatMap(buffersIn))];
}

/** What is posted to it is received by nobody; made when it is needed. */
let closedPort: MessagePort | undefined;

function openClosedPort(): MessagePort {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
}

/**
 * Frees the memory of an array that nothing reads any more, which a garbage collector would do late: it collects often
 * for memory outside its heap, and each time looks at everything. An array that is empty, shared or a part of a buffer stays
 * as it is.
 */
export function freeArray({ buffer, byteLength }: ArrayBufferView): void {
  if (!(buffer instanceof ArrayBuffer) || byteLength === 0 || byteLength !== buffer.byteLength) return;
  const { transfer } = buffer as { transfer?(length: number): unknown };
  // Before Node 21 only a message takes the memory of a buffer, and one to a closed port goes with it.
  if (transfer) transfer.call(buffer, 0);
  else (closedPort ??= openClosedPort()).postMessage(undefined, [buffer]);
}
