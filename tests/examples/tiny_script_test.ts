import { Tokenizer } from "@huggingface/tokenizers";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { DEFAULT_ANSWERS, type ScriptedAnswer } from "../fixtures/tiny_models/scripted_answers.ts";
import { END_TOKEN, scriptVocabulary } from "../fixtures/tiny_models/scripted_vocabulary.ts";
import { tinyTemplate } from "../fixtures/tiny_models/tiny_template.ts";
import { ChatTemplate, readChatRequest } from "../../lib/protocol/mod.ts";
import { tinyModelsDigest } from "./tiny_models_digest.ts";

const files = onnxChatModel();
const text = (path: string): string => new TextDecoder().decode(files[path]);
const tokenizer = new Tokenizer(JSON.parse(text("tokenizer.json")), JSON.parse(text("tokenizer_config.json")));
const decode = (ids: number[]): string =>
  ids.length === 0 ? "" : tokenizer.decode(ids, { skip_special_tokens: false, clean_up_tokenization_spaces: false });

/** The tokens after a start, up to the end. */
function follow({ next, ids }: ReturnType<typeof scriptVocabulary>, start: string): number[] {
  const said: number[] = [];
  for (let id = next.get(ids.get(start)!)!; id !== ids.get(END_TOKEN); id = next.get(id)!) said.push(id);
  return said;
}

test("scriptVocabulary() gives each answer tokens of which each names the next", () => {
  const vocabulary = scriptVocabulary(DEFAULT_ANSWERS);
  for (const { answer, plain, token } of vocabulary.starts.filter(({ answer }) => !answer.endless)) {
    assert.equal(decode(follow(vocabulary, plain)), answer.say);
    if (answer.thought === undefined) continue;
    assert.equal(decode(follow(vocabulary, token)), `<think>\n${answer.thought}\n</think>\n\n${answer.say}`);
  }
});

test("scriptVocabulary() cuts characters apart", () => {
  const vocabulary = scriptVocabulary(DEFAULT_ANSWERS);
  const { plain } = vocabulary.starts.find(({ answer }) => answer.when === "emoji")!;
  const said = follow(vocabulary, plain);
  const cut = said.filter((_, i) => decode(said.slice(0, i + 1)).endsWith("\ufffd"));
  assert.ok(cut.length >= 8, `${cut.length}`);
});

test("scriptVocabulary() distinguishes answers with equal endings, and shares equal ones", () => {
  const said = (says: readonly string[]): string[] => {
    const vocabulary = scriptVocabulary(says.map((say): ScriptedAnswer => ({ when: "", say })));
    const texts = vocabulary.tokens.map((token) => token.text.replaceAll("Ġ", " "));
    return vocabulary.starts.map(({ plain }) => follow(vocabulary, plain).map((id) => texts[id]).join(""));
  };
  const says = ["Yes, it is.", "No, it is.", "It is.", "Yes, it is."];
  assert.deepEqual(said(says), says);
  assert.throws(
    () => said(["Yes, it is.", "."]),
    /^RangeError: Cannot script the answer ".": another one has the same/,
  );
});

test("tinyTemplate() starts the first answer that fits the last message", () => {
  const { starts } = scriptVocabulary(DEFAULT_ANSWERS);
  const template = new ChatTemplate({ chat: tinyTemplate(starts), toolUse: undefined, tokens: {} });
  const ends = (content: string, more: Record<string, unknown> = {}): string =>
    template.render(readChatRequest({ model: "", messages: [{ role: "user", content }], ...more }), new Date(0)).text
      .split("assistant\n").at(-1)!;
  const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];
  assert.equal(ends("A STORY about json"), "<|say:3|>");
  assert.equal(ends("The weather?"), "<|say:9|>");
  assert.equal(ends("The weather?", { tools }), "<|say:2|>");
  assert.equal(ends("Think!"), "<|think:5|>");
  assert.equal(
    ends("Think!", { chat_template_kwargs: { enable_thinking: false } }),
    "<think>\n\n</think>\n\n<|say:5|>",
  );
});

test("tinyTemplate() places instructions, tools, calls, their results and thoughts", () => {
  const { starts } = scriptVocabulary(DEFAULT_ANSWERS);
  const template = new ChatTemplate({ chat: tinyTemplate(starts), toolUse: undefined, tokens: {} });
  const request = readChatRequest({
    model: "",
    tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }],
    messages: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Weather?" }] },
      {
        role: "assistant",
        content: "Let me see.",
        reasoning_content: "Paris it is.",
        tool_calls: [{
          id: "1",
          type: "function",
          function: { name: "get_weather", arguments: '{"city": "Paris"}' },
        }],
      },
      { role: "tool", tool_call_id: "1", content: "sun" },
    ],
  });
  const { text, toolCallFormat } = template.render(request, new Date(0));
  assert.equal(toolCallFormat, "hermes");
  assert.match(text, /^<\|im_start\|>system\nBe brief\.\n\nYou can call these functions:\n\{.*"get_weather".*\}\n/);
  assert.ok(text.endsWith(
    "<|im_start|>user\nWeather?<|im_end|>\n<|im_start|>assistant\n<think>\nParis it is.\n</think>\n\nLet me see.\n" +
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call><|im_end|>\n' +
      "<|im_start|>user\n<tool_response>\nsun\n</tool_response><|im_end|>\n<|im_start|>assistant\n<|say:0|>",
  ));
});

test("tiny models have the same bytes on the other runtime", () => {
  const program = fileURLToPath(new URL("./tiny_models_digest.ts", import.meta.url));
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const [command, ...args] = "Deno" in globalThis
    ? ["node", "--import", "tsx"]
    : [process.execPath, "node_modules/deno/bin.cjs", "run", "-A", "--no-check"];
  const { status, stdout, stderr } = spawnSync(command, [...args, program], { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), tinyModelsDigest());
});
