/**
 * Where a body of a template has its variables, and where it writes its text.
 *
 * @module
 */
import type { Budget } from "./budget.ts";
import type { Value } from "./values.ts";

/** Variables, and those of what is around. */
export class Scope {
  readonly #variables: Map<string, Value>;
  readonly #outer: Scope | undefined;

  constructor(outer?: Scope, variables: Iterable<readonly [string, Value]> = []) {
    this.#outer = outer;
    this.#variables = new Map(variables);
  }

  get(name: string): Value {
    if (this.#variables.has(name)) return this.#variables.get(name);
    return this.#outer?.get(name);
  }

  set(name: string, value: Value): void {
    this.#variables.set(name, value);
  }
}

/** Text that grows. */
export class Output {
  readonly #parts: string[] = [];
  readonly #budget: Budget;
  #size = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  write(text: string): void {
    this.#size += text.length;
    this.#budget.text(this.#size > 0 ? text.length : 0);
    this.#parts.push(text);
  }

  text(): string {
    this.#budget.text(this.#size);
    return this.#parts.join("");
  }
}
