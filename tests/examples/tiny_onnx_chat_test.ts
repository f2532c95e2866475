import { Tokenizer } from "@huggingface/tokenizers";
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { ModelFiles } from "../fixtures/tiny_models/model_files.ts";
import { onnxChatModel, type OnnxChatModelOptions } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { DEFAULT_ANSWERS, type ScriptedAnswer } from "../fixtures/tiny_models/scripted_answers.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";
import { loadOnnxRuntime } from "../../lib/compute/onnx/load_onnxruntime.ts";
import { ChatTemplate, readChatRequest } from "../../lib/protocol/mod.ts";
import { withFolder } from "../support/temporary_folder.ts";

const ort = await loadOnnxRuntime();
const text = (files: ModelFiles, path: string): string => new TextDecoder().decode(files[path]);
const weather = { type: "function", function: { name: "get_weather", parameters: { type: "object" } } };

/** The last message that makes a model give an answer. */
function requestFor({ when, role, withTools }: ScriptedAnswer): Record<string, unknown> {
  const asked = { role: "user", content: `Please: ${when}!` };
  const call = { id: "1", type: "function", function: { name: "get_weather", arguments: "{}" } };
  const messages = role === "tool"
    ? [asked, { role: "assistant", content: null, tool_calls: [call] }, {
      role: "tool",
      tool_call_id: "1",
      content: `sun ${when}`,
    }]
    : [asked];
  return { model: "tiny", messages, ...withTools || role === "tool" ? { tools: [weather] } : {} };
}

interface OpenModel {
  readonly session: InferenceSession;
  readonly tokenizer: Tokenizer;
  readonly template: ChatTemplate;
  readonly ends: readonly number[];
}

async function openModel(files: ModelFiles, folder: string): Promise<OpenModel> {
  writeModel(folder, files);
  const path = Object.keys(files).find((name) => name.endsWith(".onnx"))!;
  const session = await ort.InferenceSession.create(join(folder, path), { intraOpNumThreads: 1, logSeverityLevel: 3 });
  return {
    session,
    tokenizer: new Tokenizer(
      JSON.parse(text(files, "tokenizer.json")),
      JSON.parse(text(files, "tokenizer_config.json")),
    ),
    template: new ChatTemplate({ chat: text(files, "chat_template.jinja"), toolUse: undefined, tokens: {} }),
    ends: JSON.parse(text(files, "generation_config.json")).eos_token_id,
  };
}

/** Logits of the last token, and the cache after it. */
async function run(
  { session }: OpenModel,
  ids: readonly number[],
  cache: Readonly<Record<string, Tensor>> | undefined,
  past: number,
): Promise<{ logits: Float32Array; cache: Record<string, Tensor> }> {
  const longs = (values: readonly number[]) =>
    new ort.Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
  const total = past + ids.length;
  const all: Record<string, Tensor> = {
    input_ids: longs(ids),
    attention_mask: longs(new Array(total).fill(1)),
    position_ids: longs(ids.map((_, i) => past + i)),
    num_logits_to_keep: new ort.Tensor("int64", [1n], []),
  };
  for (const entry of session.inputMetadata) {
    if (!entry.name.startsWith("past_key_values") || !entry.isTensor) continue;
    const [, heads, , size] = entry.shape.map(Number);
    const empty = entry.type === "float16" ? new Uint16Array(0) : new Float32Array(0);
    all[entry.name] = cache?.[entry.name.replace("past_key_values", "present")] ??
      new ort.Tensor(entry.type as "float32", empty as Float32Array, [1, heads, 0, size]);
  }
  const feeds = Object.fromEntries(session.inputNames.map((name) => [name, all[name]]));
  const outputs = await session.run(feeds);
  const width = outputs.logits.dims[2];
  return { logits: (outputs.logits.data as Float32Array).slice(-width), cache: outputs as Record<string, Tensor> };
}

/** Answers greedily, token by token. */
async function answer(model: OpenModel, request: Record<string, unknown>, max = 300): Promise<string> {
  const prompt = model.template.render(readChatRequest(request), new Date(0)).text;
  let step = model.tokenizer.encode(prompt, { add_special_tokens: false }).ids;
  const said: number[] = [];
  let cache: Record<string, Tensor> | undefined;
  let past = 0;
  while (said.length < max) {
    const result = await run(model, step, cache, past);
    past += step.length;
    cache = result.cache;
    const next = result.logits.indexOf(Math.max(...result.logits));
    if (model.ends.includes(next)) break;
    said.push(next);
    step = [next];
  }
  return model.tokenizer.decode(said, { skip_special_tokens: false, clean_up_tokenization_spaces: false });
}

const variants: readonly OnnxChatModelOptions[] = [
  { kind: "std" },
  { kind: "gqa" },
  { kind: "std", weights: "q8", halfCache: true },
  { kind: "gqa", weights: "q4", externalData: true, logitsToKeep: true },
  { kind: "gqa", halfCache: true },
];
for (const options of variants) {
  test(`onnxChatModel() says its script in ONNX Runtime: ${JSON.stringify(options)}`, async () => {
    await withFolder(async (folder) => {
      const model = await openModel(onnxChatModel(options), folder);
      for (const scripted of DEFAULT_ANSWERS) {
        const thought = scripted.thought ? `<think>\n${scripted.thought}\n</think>\n\n` : "";
        const said = await answer(model, requestFor(scripted), scripted.endless ? 40 : 300);
        if (scripted.endless) assert.ok(said.startsWith(scripted.say + scripted.say + scripted.say));
        else assert.equal(said, thought + scripted.say);
      }
      await model.session.release();
    });
  });
}

test("onnxChatModel() makes the same transformer of both kinds, whose logits show what came before", async () => {
  const logits: Float32Array[] = [];
  for (const script of [undefined, false] as const) {
    for (const kind of ["std", "gqa"] as const) {
      await withFolder(async (folder) => {
        const model = await openModel(onnxChatModel({ kind, ...script === false ? { script } : {} }), folder);
        const ids = model.tokenizer.encode("Boats knocked softly").ids;
        logits.push(
          (await run(model, ids, undefined, 0)).logits,
          (await run(model, ids.slice(-1), undefined, 0)).logits,
        );
        await model.session.release();
      });
    }
  }
  const difference = (a: Float32Array, b: Float32Array): number => Math.max(...a.map((x, i) => Math.abs(x - b[i])));
  const [std, stdAlone, gqa, gqaAlone, freeStd, freeAlone, freeGqa] = logits;
  assert.ok(
    difference(std, gqa) < 1e-3 && difference(stdAlone, gqaAlone) < 1e-3 && difference(freeStd, freeGqa) < 1e-3,
  );
  assert.ok(difference(std, stdAlone) > 0.5 && difference(freeStd, freeAlone) > 0.5);
});
