/**
 * Operations: what models other than chat models do, in their own process.
 *
 * @module
 */

/**
 * The name of an operation, with its types. Inputs, events and results are sent as structured clones: numbers, text,
 * lists, objects, and typed arrays, whose bytes are sent as they are.
 */
export interface Operation<Input, Event, Output> {
  readonly name: string;
  /** Never there: it holds the types. */
  readonly types?: { readonly input: (input: Input) => void; readonly event: (event: Event) => void; output: Output };
}

/**
 * Names an operation.
 *
 * @example
 * ```ts
 * import { operation } from "./operation.ts";
 * const count = operation<{ readonly upTo: number }, number, string>("count");
 * console.assert(count.name === "count");
 * ```
 */
export function operation<Input, Event, Output>(name: string): Operation<Input, Event, Output> {
  return { name };
}

/** Runs work within a limit of time. */
export type Prepare = <T>(work: () => Promise<T>) => Promise<T>;

/** A running operation, as its engine sees it. */
export interface OperationCall<Event> {
  /** Aborts when the client has disconnected or the server stops: look at it between steps. */
  readonly signal: AbortSignal;
  /**
   * A private folder for results that are files, which the caller removes.
   *
   * @throws {Error} when the caller expects no files.
   */
  readonly folder: string;
  /**
   * Runs work that turns the input of a client into what the model reads, which hostile text may make long: a process
   * that does not end it in time is killed, and the client gets `preparation_timeout`.
   */
  readonly prepare: Prepare;
  /**
   * Says how far it is, for the status of the server. Only the last word is sent: call it as often as you like.
   *
   * @param fraction Of the whole, from 0 to 1.
   * @param stage In a few words, such as `step 3 of 4`.
   */
  progress(fraction: number, stage: string): void;
  /**
   * Sends a part of the result. Resolves when the server has taken it, so that a slow one slows the engine down.
   *
   * @throws the reason of `signal` when it aborts.
   */
  send(event: Event): Promise<void>;
}

/** Performs an operation. */
export type OperationHandler<Input, Event, Output> = (input: Input, call: OperationCall<Event>) => Promise<Output>;

/** Handlers by the names of operations. */
export type OperationHandlers = Readonly<Record<string, OperationHandler<never, never, unknown>>>;

/** A handler under the name of its operation. */
export function handle<Input, Event, Output>(
  { name }: Operation<Input, Event, Output>,
  handler: OperationHandler<Input, Event, Output>,
): OperationHandlers {
  return { [name]: handler };
}

/** Callbacks and inputs of the caller of an operation. */
export interface OperationListener<Event> {
  /** Called with each part of the result, in order; the next one comes when it has resolved. */
  readonly onEvent?: ((event: Event) => void | Promise<void>) | undefined;
  readonly onProgress?: ((fraction: number, stage: string) => void) | undefined;
  /** Absolute path of a private folder for results that are files; the caller removes it. */
  readonly folder?: string | undefined;
}
