import assert from "node:assert/strict";
import { test } from "node:test";
import { offsetOf, signatureAt } from "../../scripts/site/pages/signatures.mjs";

test("a signature ends before the body, the value or the next member", () => {
  const cases: readonly [kind: string, source: string, expected: string][] = [
    [
      "function",
      "export async function f(a: A = {}): Promise<B> {\n  return a;\n}",
      "function f(a: A = {}): Promise<B>",
    ],
    [
      "function",
      "export function f(): { readonly a: string; b(): void } {",
      "function f(): { readonly a: string; b(): void }",
    ],
    ["function", 'export function f(a = "{;"): (b: B) => C {', 'function f(a = "{;"): (b: B) => C'],
    [
      "class",
      "export class A<T extends B = { a: 1 }> extends C implements D {",
      "class A<T extends B = { a: 1 }> extends C implements D",
    ],
    ["interface", "export interface A extends B {\n  a: string;\n}", "interface A extends B"],
    ["typeAlias", "export type A = { a: 1; b: 2 } | B;\nlet c;", "type A = { a: 1; b: 2 } | B"],
    ["variable", "export const a: readonly B[] = [1];", "const a: readonly B[]"],
    [
      "member",
      "  async *walk(a: readonly string[]): AsyncGenerator<A, void, void> {",
      "walk(a: readonly string[]): AsyncGenerator<A, void, void>",
    ],
    ["member", "readonly onOpen?: (a: A) => void;\n  next: B;", "readonly onOpen?: (a: A) => void"],
    ["getter", "get end(): number {\n", "get end(): number"],
  ];
  for (const [kind, source, expected] of cases) assert.equal(signatureAt(source, 0, kind), expected);
});

test("a place in a doc comment stands for what follows it", () => {
  const source = "/** One. */\nexport const a = 1;\n/**\n * Two.\n */\nexport const b = 2;\n";
  const at = (line: number, col: number): string => signatureAt(source, offsetOf(source, { line, col }), "variable");
  assert.equal(at(2, 0), "const a");
  assert.equal(at(4, 3), "const b");
  assert.equal(at(6, 0), "const b");
});
