import assert from "node:assert/strict";
import { test } from "node:test";
import { openQwen3Tokenizer } from "../../../lib/models/qwen3/prompt_tokenizer.ts";
import { imageModel } from "../../fixtures/tiny_models/image_model.ts";

const text = (file: string) => new TextDecoder().decode(imageModel()[`tokenizer/${file}`]);
const files = {
  tokenizer: JSON.parse(text("tokenizer.json")),
  config: JSON.parse(text("tokenizer_config.json")),
  template: text("chat_template.jinja"),
};

/** Of one byte each; the five control tokens come after them. */
const START = 257, END = 258, THINK = 259, END_THINK = 260;

test("encode() puts a prompt into a chat without thinking, whoever has the template", () => {
  const inFile = openQwen3Tokenizer("tokenizer", files);
  const inConfig = openQwen3Tokenizer("tokenizer", {
    ...files,
    template: undefined,
    config: { ...files.config, chat_template: files.template },
  });
  const builtIn = openQwen3Tokenizer("tokenizer", { ...files, template: undefined });
  const ids = [...inFile.encode("hé", 512)];
  assert.equal(ids[0], START);
  assert.equal(ids[9], END, "user, a line break and the 3 bytes of the prompt come before it");
  assert.deepEqual(ids.filter((id) => id >= THINK), [THINK, END_THINK]);
  assert.deepEqual([...inConfig.encode("hé", 512)], ids);
  assert.deepEqual([...builtIn.encode("hé", 512)], ids);
  assert.equal(inFile.padding, 256);
});

test("encode() takes exactly as many tokens as there is room for, and an empty prompt", () => {
  const tokenizer = openQwen3Tokenizer("tokenizer", files);
  const { length } = tokenizer.encode("", 512);
  assert.equal(tokenizer.encode("abc", length + 3).length, length + 3);
  assert.throws(
    () => tokenizer.encode("abcd", length + 3),
    new RegExp(`the prompt has ${length + 4} tokens, the model takes ${length + 3}`),
  );
});

test("openQwen3Tokenizer() says what is wrong with its files", () => {
  const open = (change: object) => () => openQwen3Tokenizer("tokenizer", { ...files, ...change });
  assert.throws(open({ tokenizer: { model: { type: "Unigram" } } }), /its model is "Unigram", expected "BPE"/);
  assert.throws(open({ tokenizer: null }), /expected "BPE"/);
  assert.throws(open({ config: { pad_token: "<pad>" } }), /it has no token "<pad>"/);
  assert.throws(open({ template: "{% for %}" }), /Cannot use the chat template of tokenizer/);
  assert.throws(open({ template: "always the same" }), /what it renders lacks the message/);
  assert.equal(open({ config: { pad_token: { content: "<|im_end|>" } } })().padding, END);
  assert.equal(open({ config: undefined })().padding, 256);
});
