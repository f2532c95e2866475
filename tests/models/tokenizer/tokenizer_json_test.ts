import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTokenizer } from "../../../lib/models/tokenizer/tokenizer_json.ts";

const pieces = ["<unk>", "</s>", "▁", "a"];
const unigram = {
  pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: false },
  model: { type: "Unigram", unk_id: 0, vocab: pieces.map((piece, i) => [piece, -i]) },
};

test("parseTokenizer() takes words of any length", () => {
  const tokenizer = parseTokenizer("tokenizer.json", unigram, { eos_token: "</s>" });
  assert.equal(tokenizer.encode("a".repeat(160_000)).ids.length, 160_001);
  assert.deepEqual(tokenizer.encode("aa a").ids, [2, 3, 3, 2, 3]);
});

test("parseTokenizer() names the file that it cannot use", () => {
  assert.throws(() => parseTokenizer("tokenizer.json", { ...unigram, model: { type: "Odd" } }, {}), {
    name: "TokenizerError",
    message: /^Cannot use tokenizer\.json: .*Odd/,
  });
});

test("parseTokenizer() refuses invalid ids", () => {
  const model = { type: "BPE", merges: [] };
  const refused = (json: object, message: RegExp) =>
    assert.throws(() => parseTokenizer("tokenizer.json", json, {}), { name: "TokenizerError", message });
  refused({ model: { ...model, vocab: { a: "x" } } }, /the id of "a" is "x", expected an integer below 16777216$/);
  refused({ model: { ...model, vocab: { a: -1 } } }, /the id of "a" is -1/);
  refused(
    { model: { ...model, vocab: {} }, added_tokens: [{ id: 2e9, content: "<x>" }] },
    /the id of "<x>" is 2000000000/,
  );
  refused({ model: { ...model, vocab: {} }, added_tokens: [null] }, /the id of undefined is undefined/);
});

test("parseTokenizer() refuses expressions that read a text in many ways, and takes published ones", () => {
  const withExpression = (Regex: string) => ({
    ...unigram,
    normalizer: { type: "Sequence", normalizers: [{ type: "Replace", pattern: { Regex }, content: "" }] },
  });
  const nested = [
    "(a+)+$",
    "((?:x|a*)b?)*",
    "(?:[(]{2,}a)+",
    "(\\(+){1,}c",
    "(a+){1,40}$",
    "(a{1,99})+$",
    "(a{1,}){30}$",
  ];
  for (const Regex of [...nested, "(?=(a+)+$)b", "(?<name>a+)+"]) {
    assert.throws(() => parseTokenizer("tokenizer.json", withExpression(Regex), {}), {
      name: "TokenizerError",
      message: /the expression ".+" of its normalizer repeats a repetition/,
    });
  }
  const alike = [
    "(a|a)*$",
    "(\\w|\\d)+$",
    "(a|ab)*c",
    "(?:[a-f]|e1)+",
    "(x(?:A|a))*",
    "(?:|a)+",
    "(.|\\n|b){9}",
    "(\\p{L}|z)+",
    "(?:(?!b)a|a)*$",
    "(?:[aㄱ]|[bㄱ])*$",
    "(?:(?:a|a){8}){3}$",
    "(?:a|a)".repeat(9),
  ];
  for (const Regex of alike) {
    assert.throws(() => parseTokenizer("tokenizer.json", withExpression(Regex), {}), {
      name: "TokenizerError",
      message: /the expression ".+" of its normalizer repeats alternatives that can begin alike/,
    });
  }
  assert.throws(() => parseTokenizer("tokenizer.json", withExpression("a|".repeat(10_000)), {}), {
    message: /an expression of its normalizer has 20000 characters, expected at most 16384/,
  });
  const published = [
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{M}]+(?:'s|'t|'re)?|\\p{N}{1,3}",
    " ?[^(\\s|[.,!?…。，、।۔،])]+",
    " {2,}",
    "(?<=\\S)\\s+$",
    "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*",
    "\\d{1,3}(?=(?:\\d{3})*\\b)",
    "(?:[a-z]|[0-9]|_)+",
  ];
  for (const Regex of published) {
    assert.ok(
      parseTokenizer("tokenizer.json", {
        ...unigram,
        pre_tokenizer: {
          type: "Split",
          pattern: { Regex },
          behavior: "Isolated",
          invert: false,
        },
      }, {}),
      Regex,
    );
  }
});
