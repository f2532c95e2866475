/**
 * The syntax tree of a template, with the node types of Jinja.
 *
 * @module
 */
import type { Value } from "./values.ts";

/** Arguments of a call, a filter or a test. */
export interface Arguments {
  readonly args: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
  /** `*args`. */
  readonly spread: Expression | undefined;
  /** `**kwargs`. */
  readonly namedSpread: Expression | undefined;
}

/** A call of a function, a method or a macro. */
export interface Call {
  readonly kind: "call";
  readonly callee: Expression;
  readonly given: Arguments;
}

/** A filter; without an operand it is applied to a block. */
export interface Filter {
  readonly kind: "filter";
  readonly operand: Expression | undefined;
  readonly name: string;
  readonly given: Arguments;
}

/** What has a value. */
export type Expression =
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list" | "tuple"; readonly items: readonly Expression[] }
  | { readonly kind: "dict"; readonly pairs: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: "attribute"; readonly object: Expression; readonly name: string }
  | { readonly kind: "item"; readonly object: Expression; readonly key: Expression }
  | { readonly kind: "slice"; readonly bounds: readonly (Expression | undefined)[] }
  | Call
  | Filter
  | { readonly kind: "test"; readonly operand: Expression; readonly name: string; readonly given: Arguments }
  | { readonly kind: "not"; readonly operand: Expression }
  | { readonly kind: "sign"; readonly operator: string; readonly operand: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "concat"; readonly parts: readonly Expression[] }
  | {
    readonly kind: "compare";
    readonly first: Expression;
    readonly rest: readonly (readonly [operator: string, Expression])[];
  }
  | {
    readonly kind: "condition";
    readonly test: Expression;
    readonly then: Expression;
    readonly otherwise: Expression | undefined;
  };

/** What can be assigned to: a name, a member of a namespace, or several of them. */
export type Target =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "member"; readonly namespace: string; readonly name: string }
  | { readonly kind: "tuple"; readonly items: readonly Target[] };

/** A macro, or the body of a call block, which has no name. */
export interface Macro {
  readonly kind: "macro";
  readonly name: string;
  readonly parameters: readonly string[];
  /** The defaults of the last parameters. */
  readonly defaults: readonly Expression[];
  readonly body: readonly Statement[];
  /** Which of `caller`, `kwargs` and `varargs` the body reads. */
  readonly special: ReadonlySet<string>;
}

/** A loop. */
export interface For {
  readonly kind: "for";
  readonly target: Target;
  readonly items: Expression;
  readonly test: Expression | undefined;
  readonly recursive: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
}

/** What is rendered. */
export type Statement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly value: Expression }
  | For
  | {
    readonly kind: "if";
    readonly branches: readonly (readonly [test: Expression, body: readonly Statement[]])[];
    readonly otherwise: readonly Statement[];
  }
  | { readonly kind: "set"; readonly target: Target; readonly value: Expression }
  | {
    readonly kind: "set block";
    readonly target: Target;
    readonly filter: Filter | undefined;
    readonly body: readonly Statement[];
  }
  | {
    readonly kind: "with";
    readonly values: readonly (readonly [Target, Expression])[];
    readonly body: readonly Statement[];
  }
  | Macro
  | { readonly kind: "call block"; readonly call: Call; readonly caller: Macro }
  | { readonly kind: "filter block"; readonly filter: Filter; readonly body: readonly Statement[] }
  | { readonly kind: "scope"; readonly body: readonly Statement[] }
  | { readonly kind: "break" }
  | { readonly kind: "continue" };
