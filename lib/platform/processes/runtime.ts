/**
 * The runtime of this program: its name, its environment, values that follow its calls.
 *
 * @module
 */
import { VERSION } from "./version.ts";
import process from "node:process";
import { AsyncLocalStorage } from "node:async_hooks";

/** Such as `svc 0.1.0 on Node 20.20.2, linux x64`. */
export function describeRuntime(): string {
  const { deno, node } = process.versions;
  return `svc ${VERSION} on ${deno ? `Deno ${deno}` : `Node ${node}`}, ${process.platform} ${process.arch}`;
}

/** The value of an environment variable; undefined when it is not set. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}

/** A value that all code sees which a piece of work has called, and no other. */
export class AsyncContext<T> {
  readonly #storage = new AsyncLocalStorage<T>();

  /** Runs work with a value. */
  run<R>(value: T, work: () => R): R {
    return this.#storage.run(value, work);
  }

  /** The value of the work that this is part of. */
  get current(): T | undefined {
    return this.#storage.getStore();
  }
}
