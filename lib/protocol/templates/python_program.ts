/**
 * Adapts templates to the semantics of Python's Jinja: what the values of their expressions are used for, and rewrites
 * of what the Jinja library does not support.
 *
 * @module
 */
import type { parse } from "@huggingface/jinja";

/**
 * The use of an expression's value: shown as text, looped over, several uses, a word such as a member's key, or a test
 * for a list.
 */
export type Use = "text" | "loop" | "several" | "word" | "list";

interface Node {
  type: string;
  value?: unknown;
  [member: string]: unknown;
}

const uses = new WeakMap<object, Use>();

/** The first statement of each loop's body, with the names that each iteration sets. */
const turns = new WeakMap<object, ReadonlySet<string>>();

/** Filters by how they treat a missing value. */
const wordFilters = new Set(["trim", "lower", "upper", "title", "capitalize", "replace", "indent"]);
const listFilters = new Set(
  [
    "list",
    "length",
    "count",
    "join",
    "map",
    "select",
    "reject",
    "selectattr",
    "rejectattr",
    "sort",
    "unique",
    "reverse",
  ],
);

/** Methods of dictionaries, which Jinja finds before members of the same name: a JSON Schema has `items`, too. */
const methods = new Set(["items", "keys", "values", "get"]);

/** Filters that are our own functions, named `filter` and their name. */
const calledFilters = new Set(["format", "min", "max"]);

const blocks = ["body", "alternate", "defaultBlock"];
const statements = new Set([
  "If",
  "For",
  "Break",
  "Continue",
  "Set",
  "Macro",
  "Comment",
  "CallStatement",
  "FilterStatement",
]);

/** Records what the values of a program's expressions are used for, and rewrites what the library does not support. */
export function prepareProgram(program: ReturnType<typeof parse>): void {
  visit(program as unknown as Node);
}

function visit(node: Node): void {
  for (const name of blocks) {
    for (const shown of nodes(node[name])) if (!statements.has(shown.type)) uses.set(shown, "text");
  }
  if (node.type === "For") {
    mark(loopedOver(node.iterable as Node), "loop");
    const [first] = nodes(node.body);
    const names = node.loopvar as Node;
    if (first !== undefined) turns.set(first, new Set(["loop", ...nodes(names.value).map(nameOf), nameOf(names)]));
  }
  if (node.type === "MemberExpression" && node.computed) mark(node.property, "word");
  if (node.type === "BinaryExpression" && (node.operator as Node).value === "~") {
    markAll([node.left, node.right], "text");
  }
  if (node.type === "TestExpression") {
    const test = node.test as Node;
    if (test.value === "iterable") test.value = "sequence";
    if (test.value === "sequence") mark(node.operand, "list");
  }
  if (node.type === "FilterExpression") rewriteFilter(node);
  if (node.type === "CallExpression") rewriteFormat(node);
  for (const member of Object.values(node)) for (const inner of nodes(member)) visit(inner);
}

function rewriteFilter(node: Node): void {
  const filter = node.filter as Node;
  const name = nameOf(filter.type === "CallExpression" ? filter.callee as Node : filter);
  if (name === "string") mark(node.operand, "text");
  if (wordFilters.has(name)) mark(node.operand, "word");
  if (listFilters.has(name)) mark(node.operand, "several");
  const given = filter.type === "CallExpression" ? filter.args as Node[] : [];
  if (!calledFilters.has(name)) return;
  markAll(given, "text");
  call(node, `filter ${name}`, [node.operand, ...given]);
}

function rewriteFormat(node: Node): void {
  const callee = node.callee as Node;
  if (callee.type !== "MemberExpression" || callee.computed || nameOf(callee.property as Node) !== "format") return;
  markAll(node.args as Node[], "text");
  call(node, "method format", [callee.object, ...node.args as Node[]]);
}

function call(node: Node, name: string, args: readonly unknown[]): void {
  Object.assign(node, { type: "CallExpression", callee: { type: "Identifier", value: name }, args });
}

/** The object and name of a method call if the object is a dictionary; undefined for other expressions. */
export function methodCall(node: object | undefined): { readonly object: object; readonly name: string } | undefined {
  const { type, object, property, computed } = (node ?? {}) as Node;
  if (type !== "MemberExpression" || computed || !methods.has(nameOf(property as Node))) return undefined;
  return { object: object as object, name: nameOf(property as Node) };
}

function nameOf(node: Node): string {
  return typeof node.value === "string" ? node.value : "";
}

/** Loops with a condition have their iterable one level deeper. */
function loopedOver(iterable: Node): unknown {
  return iterable.type === "SelectExpression" ? iterable.lhs : iterable;
}

function mark(node: unknown, use: Use): void {
  for (const one of nodes(node)) uses.set(one, use);
}

function markAll(list: readonly unknown[], use: Use): void {
  for (const node of list) mark(node, use);
}

function nodes(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodes);
  if (value instanceof Map) return [...value].flatMap(nodes);
  return typeof value === "object" && value !== null && "type" in value ? [value as Node] : [];
}

/** The use of an expression's value, where it matters. */
export function useOf(node: object | undefined): Use | undefined {
  return node && uses.get(node);
}

/** The names that a loop sets itself, if a statement is the first of its body. */
export function turnNames(node: object | undefined): ReadonlySet<string> | undefined {
  return node && turns.get(node);
}

/** Raw text as an expression: the library does not support `raw`. */
export function withoutRaw(source: string): string {
  const tags = /\{%([-+]?)\s*(raw|endraw)\s*(-?)%\}/g;
  let [text, from] = ["", 0];
  for (let open = tags.exec(source); open !== null; open = tags.exec(source)) {
    const [whole, before, name, left] = open;
    if (name === "endraw") continue;
    let close = tags.exec(source);
    while (close?.[2] === "raw") close = tags.exec(source);
    if (close === null) break;
    const [end, right, , after] = close;
    const raw = source.slice(open.index + whole.length, close.index);
    const trimmed = right === "-"
      ? (left === "-" ? raw.trimStart() : raw).trimEnd()
      : left === "-"
      ? raw.trimStart()
      : raw;
    const shown = `{{${before === "-" ? "-" : ""} ${JSON.stringify(trimmed)} ${after === "-" ? "-" : ""}}}`;
    text += source.slice(from, open.index) + shown;
    from = close.index + end.length;
    if (source[from] === "\n") from++; // as after every tag
    tags.lastIndex = from;
  }
  return text + source.slice(from);
}
