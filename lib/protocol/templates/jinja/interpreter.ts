/**
 * Renders parsed templates as Python's Jinja does, within a budget.
 *
 * @module
 */
import { attributeOf, itemOf, sliceOf } from "./attributes.ts";
import type { Budget } from "./budget.ts";
import { applyFilter } from "./filters.ts";
import { binary, compares, sign } from "./operators.ts";
import { Output, Scope } from "./scope.ts";
import { str } from "./show.ts";
import type { Arguments, Expression, For, Macro, Statement, Target } from "./syntax_tree.ts";
import type { Program } from "./template_parser.ts";
import { passes } from "./tests.ts";
import { namedOf } from "./text_methods.ts";
import {
  Callable,
  Dict,
  iterate,
  listOf,
  LoopState,
  type Named,
  Namespace,
  PythonError,
  truth,
  Tuple,
  typeName,
  type Value,
} from "./values.ts";

/** Why a body ended early. What it printed before is kept. */
type Ended = "break" | "continue" | undefined;

/** Renders a template. */
export function render(program: Program, scope: Scope, budget: Budget): string {
  return new Renderer(budget).text(program.body, scope);
}

class Renderer {
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** The text of a body that is a function of its own, so that no loop ends in it. */
  text(body: readonly Statement[], scope: Scope): string {
    const out = new Output(this.#budget);
    this.#run(body, scope, out);
    return out.text();
  }

  #run(body: readonly Statement[], scope: Scope, out: Output): Ended {
    for (const statement of body) {
      const ended = this.#statement(statement, scope, out);
      if (ended !== undefined) return ended;
    }
    return undefined;
  }

  #statement(node: Statement, scope: Scope, out: Output): Ended {
    this.#budget.take(1);
    switch (node.kind) {
      case "text":
        out.write(node.text);
        return undefined;
      case "print":
        out.write(str(this.#value(node.value, scope)));
        return undefined;
      case "for":
        return this.#for(node, this.#value(node.items, scope), scope, out, 0);
      case "if": {
        const branch = node.branches.find(([test]) => truth(this.#value(test, scope)));
        return this.#run(branch === undefined ? node.otherwise : branch[1], scope, out);
      }
      case "set":
        this.#assign(node.target, this.#value(node.value, scope), scope);
        return undefined;
      case "set block":
      case "filter block": {
        // A `continue` or `break` within the block does not keep the block's text: nobody takes it.
        const block = new Output(this.#budget);
        const ended = this.#run(node.body, new Scope(scope), block);
        if (ended !== undefined) return ended;
        const text = node.filter === undefined ? block.text() : this.#filtered(node.filter, block.text(), scope);
        if (node.kind === "set block") this.#assign(node.target, text, scope);
        else if (typeof text === "string") out.write(text);
        else throw new PythonError(`a filter makes a ${typeName(text)} of a block, expected a text`);
        return undefined;
      }
      case "with": {
        const inner = new Scope(scope);
        for (const [target, value] of node.values) this.#assign(target, this.#value(value, scope), inner);
        return this.#run(node.body, inner, out);
      }
      case "scope":
        out.write(this.text(node.body, new Scope(scope)));
        return undefined;
      case "macro":
        scope.set(node.name, this.#macro(node, scope));
        return undefined;
      case "call block": {
        const caller = this.#macro(node.caller, scope);
        const { given } = node.call;
        out.write(str(this.#call(node.call.callee, given, scope, [["caller", caller]])));
        return undefined;
      }
      default:
        return node.kind;
    }
  }

  #for(node: For, all: Value, scope: Scope, out: Output, depth: number): Ended {
    const items = this.#chosen(node, all, scope);
    const again = (inner: Value): string => {
      const text = new Output(this.#budget);
      this.#for(node, inner, scope, text, depth + 1);
      return text.text();
    };
    const loop = new LoopState(items, depth, node.recursive ? again : undefined);
    // As in Python, a loop of which no turn came to its end renders its `else`.
    let finished = false;
    for (let i = 0; i < items.length; i++) {
      loop.index0 = i;
      const turn = new Scope(scope, [["loop", loop]]);
      this.#assign(node.target, items[i], turn);
      const ended = this.#run(node.body, turn, out);
      if (ended === "break") break;
      if (ended === undefined) finished = true;
    }
    return finished ? undefined : this.#run(node.otherwise, new Scope(scope), out);
  }

  /** What a loop goes through: what it is given, without what its condition leaves out. */
  #chosen({ target, test }: For, all: Value, scope: Scope): Value[] {
    const items = iterate(all);
    this.#budget.take(4 * items.length);
    if (test === undefined) return items;
    return items.filter((item) => {
      const turn = new Scope(scope);
      this.#assign(target, item, turn);
      return truth(this.#value(test, turn));
    });
  }

  #assign(target: Target, value: Value, scope: Scope): void {
    if (target.kind === "name") return scope.set(target.name, value);
    if (target.kind === "member") {
      const namespace = scope.get(target.namespace);
      if (!(namespace instanceof Namespace)) throw new PythonError(`${target.namespace} is not a namespace`);
      return namespace.members.set(target.name, value);
    }
    const values = iterate(value);
    if (value === undefined || values.length !== target.items.length) {
      throw new PythonError(`${values.length} values for ${target.items.length} names`);
    }
    target.items.forEach((one, i) => this.#assign(one, values[i], scope));
  }

  #macro(node: Macro, scope: Scope): Callable {
    return new Callable(node.name, (args, named) => {
      const inner = new Scope(scope);
      const rest = new Map(named);
      const { parameters, special } = node;
      parameters.forEach((name, i) => {
        if (i < args.length) return inner.set(name, args[i]);
        const given = rest.has(name);
        const value = rest.get(name);
        rest.delete(name);
        inner.set(name, value);
        const fallback = node.defaults[i - parameters.length + node.defaults.length];
        if (!given && fallback !== undefined) inner.set(name, this.#value(fallback, inner));
      });
      if (special.has("caller") && !parameters.includes("caller")) {
        inner.set("caller", rest.get("caller"));
        rest.delete("caller");
      }
      if (special.has("kwargs")) inner.set("kwargs", Dict.of(rest));
      else if (rest.size > 0) throw new PythonError(`the macro ${node.name} takes no ${[...rest.keys()][0]}`);
      if (special.has("varargs")) inner.set("varargs", listOf(Tuple, args.slice(parameters.length)));
      else if (args.length > parameters.length) {
        throw new PythonError(`the macro ${node.name} takes at most ${parameters.length} arguments`);
      }
      return this.text(node.body, inner);
    });
  }

  #value(node: Expression, scope: Scope): Value {
    this.#budget.take(1);
    const value = this.#evaluated(node, scope);
    this.#budget.value(value);
    return value;
  }

  #evaluated(node: Expression, scope: Scope): Value {
    switch (node.kind) {
      case "constant":
        return node.value;
      case "name":
        return scope.get(node.name);
      case "list":
        return node.items.map((item) => this.#value(item, scope));
      case "tuple":
        return listOf(Tuple, node.items.map((item) => this.#value(item, scope)));
      case "dict":
        return Dict.of(node.pairs.map(([key, value]) => [this.#value(key, scope), this.#value(value, scope)]));
      case "attribute":
        return attributeOf(this.#value(node.object, scope), node.name, this.#budget);
      case "item": {
        const object = this.#value(node.object, scope);
        if (node.key.kind !== "slice") return itemOf(object, this.#value(node.key, scope), this.#budget);
        const bounds = node.key.bounds.map((bound) => bound && this.#value(bound, scope));
        return sliceOf(object, bounds, this.#budget);
      }
      case "call":
        return this.#call(node.callee, node.given, scope, []);
      case "filter":
        return this.#filtered(node, undefined, scope);
      case "test": {
        const operand = this.#value(node.operand, scope);
        const { args, named } = this.#arguments(node.given, scope, []);
        return passes(node.name, operand, args, named, this.#budget);
      }
      case "not":
        return !truth(this.#value(node.operand, scope));
      case "sign":
        return sign(node.operator, this.#value(node.operand, scope));
      case "and":
      case "or": {
        const left = this.#value(node.left, scope);
        return truth(left) === (node.kind === "and") ? this.#value(node.right, scope) : left;
      }
      case "binary": {
        const left = this.#value(node.left, scope);
        return binary(node.operator, left, this.#value(node.right, scope), this.#budget);
      }
      case "concat": {
        const texts = node.parts.map((part) => str(this.#value(part, scope)));
        this.#budget.text(texts.reduce((sum, text) => sum + text.length, 0));
        return texts.join("");
      }
      case "compare": {
        let left = this.#value(node.first, scope);
        return node.rest.every(([operator, operand]) => {
          const right = this.#value(operand, scope);
          const holds = compares(operator, left, right, this.#budget);
          left = right;
          return holds;
        });
      }
      case "condition":
        if (truth(this.#value(node.test, scope))) return this.#value(node.then, scope);
        return node.otherwise && this.#value(node.otherwise, scope);
      case "slice":
        throw new PythonError("a slice is not a value");
    }
  }

  #filtered(node: Extract<Expression, { kind: "filter" }>, block: Value, scope: Scope): Value {
    const { operand, name, given } = node;
    // A filter of a block has no operand, or another filter of that block.
    const value = operand === undefined
      ? block
      : operand.kind === "filter" && block !== undefined
      ? this.#filtered(operand, block, scope)
      : this.#value(operand, scope);
    const { args, named } = this.#arguments(given, scope, []);
    this.#budget.take(1);
    const result = applyFilter(name, value, args, named, this.#budget);
    this.#budget.value(result);
    return result;
  }

  #call(callee: Expression, given: Arguments, scope: Scope, more: readonly (readonly [string, Value])[]): Value {
    const called = this.#value(callee, scope);
    const { args, named } = this.#arguments(given, scope, more);
    if (called instanceof LoopState && called.again !== undefined) {
      return called.again(args[0]);
    }
    if (!(called instanceof Callable)) throw new PythonError(`it calls a ${typeName(called)}`);
    return called.call(args, named);
  }

  #arguments(
    given: Arguments,
    scope: Scope,
    more: readonly (readonly [string, Value])[],
  ): { args: Value[]; named: Named } {
    const args = given.args.map((argument) => this.#value(argument, scope));
    const named = new Map([...given.named.map(([name, value]) => [name, this.#value(value, scope)] as const), ...more]);
    if (given.spread !== undefined) args.push(...iterate(this.#value(given.spread, scope)));
    if (given.namedSpread !== undefined) {
      for (const [name, value] of namedOf(this.#value(given.namedSpread, scope))) {
        if (named.has(name)) throw new PythonError(`the argument ${name} is given twice`);
        named.set(name, value);
      }
    }
    return { args, named };
  }
}
