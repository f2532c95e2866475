import { test } from "node:test";
import assert from "node:assert/strict";
import { openMessageTokenizer } from "../../../lib/models/actionworld/prompt_message.ts";
import { FIRST_BYTE, tinyTokenizer } from "../../support/tiny_actionworld.ts";

const bytes = (text: string) => [...new TextEncoder().encode(text)].map((byte) => FIRST_BYTE + byte);
const [START, END, THINK, VISION] = [10, 11, 12, 20];

test("MessageTokenizer.encode() gives the chat's ids, merged where the file says so, and two that end it", () => {
  const tokenizer = openMessageTokenizer("tokenizer.json", tinyTokenizer());
  assert.deepEqual([...tokenizer.encode("hall é")], [
    ...[START, ...bytes("system\n"), END, ...bytes("\n")],
    ...[START, ...bytes("user\nh"), FIRST_BYTE + 256, ...bytes("l é"), END, ...bytes("\n")],
    ...[START, ...bytes("assistant\n"), THINK, ...bytes("\n")],
    ...[END, VISION],
  ]);
});

test("MessageTokenizer.encode() writes the chat as the snapshot's template says", () => {
  const template = "{% for m in messages %}{{ m.role }}:{{ m.content }}\n{% endfor %}" +
    "{%- if add_generation_prompt %}<think>{% endif %}";
  const tokenizer = openMessageTokenizer("tokenizer.json", tinyTokenizer(), template);
  assert.deepEqual([...tokenizer.encode("m")], [...bytes("user:m\n"), THINK, END, VISION]);
});

test("openMessageTokenizer() refuses a template that cannot be read or says nothing of the message", () => {
  const refused = (template: string, message: RegExp) =>
    assert.throws(() => openMessageTokenizer("t.json", tinyTokenizer(), template), { name: "TokenizerError", message });
  refused("{% if %}", /^Cannot use chat_template\.jinja: /);
  refused("{{ messages[0].content + undefined_function() }}", /^Cannot use chat_template\.jinja: /);
  refused("hello", /^Cannot use chat_template\.jinja: its output lacks the message$/);
});

test("openMessageTokenizer() says what is wrong with a file that it cannot use", () => {
  const refused = (json: unknown, message: RegExp) =>
    assert.throws(() => openMessageTokenizer("t.json", json), { name: "TokenizerError", message });
  refused(null, /^Cannot use t\.json: its model is undefined, expected "BPE"$/);
  refused({ model: { type: "Unigram" } }, /its model is "Unigram", expected "BPE"$/);
  const tiny = tinyTokenizer();
  const { "<|vision_start|>": _, ...vocab } = tiny.model.vocab as Record<string, number>;
  const added_tokens = tiny.added_tokens.filter(({ content }) => content !== "<|vision_start|>");
  refused({ ...tiny, added_tokens, model: { ...tiny.model, vocab } }, /it has no token "<\|vision_start\|>"$/);
  refused({ ...tiny, pre_tokenizer: { type: "Nonsense" } }, /Unknown PreTokenizer type: Nonsense$/);
});
