import assert from "node:assert/strict";
import { test } from "node:test";
import { GrammarConstrainer } from "../../../lib/engines/constrained_decoding/grammar_constrainer.ts";
import type { GrammarMatch } from "../../../lib/engines/constrained_decoding/grammar_match.ts";
import type { OutputConstraint, TokenConstraint } from "../../../lib/engines/contract/language_model.ts";
import { loadXGrammar } from "../../../lib/app/models/engine/load_xgrammar.ts";

const words = [
  '"',
  "a",
  "abcdef",
  'ab"',
  "\\",
  "n",
  "<tool_call>",
  "</tool_call>",
  "<|im_start|>",
  "<|end|>",
  "{",
  "}",
  "x",
];
const END = words.indexOf("<|end|>");
const bytes = words.map((word) => new TextEncoder().encode(word));

const open = (): GrammarConstrainer =>
  new GrammarConstrainer({
    size: 40,
    endTokens: [END],
    bytesOf: (id) => bytes[id] ?? new Uint8Array(),
    isSpecial: (id) => /^<.*>$/.test(words[id]),
  }, loadXGrammar);

const asSchema = (schema: Record<string, unknown>): OutputConstraint => ({ kind: "json_schema", schema, strict: true });

async function allowed(match: TokenConstraint): Promise<string[]> {
  const mask = await match.mask();
  return words.filter((_, id) => ((mask[id >> 5] >>> (id & 31)) & 1) === 1);
}

const accepts = (match: GrammarMatch, word: string): boolean => match.accept(words.indexOf(word));

test("GrammarMatch refuses a token that is too long, and changes nothing by it", async () => {
  const constrainer = open();
  const match = await constrainer.constrain(asSchema({ type: "string", minLength: 2, maxLength: 4 }));
  assert.deepEqual(await allowed(match), ['"']);
  assert.ok(accepts(match, '"'));
  assert.ok((await allowed(match)).includes("abcdef")); // the loose grammar does not count
  assert.equal(accepts(match, "abcdef"), false);
  assert.ok(!(await allowed(match)).includes("abcdef"));
  assert.ok(accepts(match, "a"));
  assert.equal(accepts(match, '"'), false);
  assert.ok(accepts(match, "\\") && accepts(match, "n"));
  // Two more letters are left: after some refusals everything is tried.
  for (const word of ["abcdef", "<|im_start|>", "nothing", "<|end|>"]) assert.equal(accepts(match, word), false);
  assert.deepEqual(await allowed(match), ['"', "a", 'ab"', "\\", "n", "{", "}", "x"]);
  assert.ok(accepts(match, 'ab"'));
  assert.deepEqual(await allowed(match), ["<|end|>"]);
  match.close();
  constrainer.close();
});

test("GrammarMatch lets an answer end where the exact grammar lets it", async () => {
  const constrainer = open();
  const match = await constrainer.constrain(asSchema({ type: "string", pattern: "^[a-z]{5,9}$" }));
  for (const word of ['"', "a", "n", "x"]) assert.ok(accepts(match, word), word);
  assert.equal(accepts(match, '"'), false);
  assert.ok(!(await allowed(match)).includes("<|end|>"));
  assert.ok(accepts(match, "a") && accepts(match, 'ab"'));
  assert.deepEqual(await allowed(match), ["<|end|>"]);
  match.close();
  constrainer.close();
});

test("GrammarConstrainer takes no special token for text, except marks of calls", async () => {
  const constrainer = open();
  const calls = { open: "<tool_call>", close: "</tool_call>", schema: { enum: [{}] }, repeated: false };
  const match = await constrainer.constrain({ kind: "tool_calls", calls, forced: true });
  assert.deepEqual(await allowed(match), ["<tool_call>"]);
  for (const word of ["<tool_call>", "{", "}", "</tool_call>"]) assert.ok(accepts(match, word), word);
  assert.deepEqual(await allowed(match), ["<|end|>"]);
  match.close();
  const text = await constrainer.constrain(asSchema({ type: "string" }));
  assert.ok(accepts(text, '"'));
  assert.ok(!(await allowed(text)).includes("<|im_start|>"));
  text.close();
  constrainer.close();
});

test("GrammarConstrainer keeps grammars apart and can be used for several answers at a time", async () => {
  const constrainer = open();
  const matches = await Promise.all(["a", "x", "a"].map((word) => constrainer.constrain(asSchema({ const: word }))));
  for (const match of matches) assert.ok(accepts(match, '"'));
  assert.deepEqual(await Promise.all(matches.map(allowed)), [["a"], ["x"], ["a"]]);
  for (let i = 0; i < 40; i++) (await constrainer.constrain(asSchema({ const: i }))).close();
  assert.ok(accepts(matches[0], "a") && accepts(matches[0], '"'));
  for (const match of matches) match.close();
  constrainer.close();
});
