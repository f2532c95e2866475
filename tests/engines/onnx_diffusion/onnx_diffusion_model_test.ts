import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingModel } from "../../fixtures/tiny_models/embedding_model.ts";
import { maskedDiffusionModel } from "../../fixtures/tiny_models/masked_diffusion_model.ts";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { DEFAULT_ANSWERS } from "../../fixtures/tiny_models/scripted_answers.ts";
import type { ChatListener, ChatOutcome } from "../../../lib/engines/contract/chat_engine.ts";
import { ChatModel } from "../../../lib/engines/text/chat_model.ts";
import { readDiffusionProfile } from "../../../lib/engines/onnx_diffusion/diffusion_recipe.ts";
import { openOnnxDiffusionModel } from "../../../lib/engines/onnx_diffusion/open_onnx_diffusion_model.ts";
import { NEUTRAL_SAMPLING, readChatRequest, type WireDraft } from "../../../lib/protocol/mod.ts";
import { type GivenFiles, memoryFiles, withModelFiles } from "../../support/model_files.ts";

const settings = { device: "cpu", threads: 1, missing: [] };
const never = new AbortController().signal;
const random = { id: () => "00000000", seed: () => 7 };

interface Heard {
  readonly outcome: ChatOutcome;
  readonly text: string;
  readonly drafts: readonly WireDraft[];
  readonly tokens: number;
  readonly prefill: readonly (readonly number[])[];
}

type Chat = (fields: Record<string, unknown>, signal?: AbortSignal) => Promise<Heard>;

/** Chats with the model of some files. */
async function withChats(given: GivenFiles, work: (chat: Chat) => Promise<void>): Promise<void> {
  await withModelFiles(given, async (files) => {
    const model = await openOnnxDiffusionModel(files, settings);
    const chats = new ChatModel(model, random);
    try {
      await work(async (fields, signal = never) => {
        let text = "";
        let tokens = 0;
        const drafts: WireDraft[] = [];
        const prefill: number[][] = [];
        const listener: ChatListener = {
          onPrefill: (done, total) => void prefill.push([done, total]),
          onText: (piece) => text += piece,
          onDraft: (draft) => void drafts.push(draft),
          onTokens: (count) => tokens += count,
        };
        const request = readChatRequest({ model: "tiny", ...fields });
        const options = {
          context: model.profile.context,
          presetMaxTokens: 256,
          defaults: model.profile.sampling,
          now: 0,
          images: [],
        };
        const outcome = await chats.chat(request, options, listener, signal);
        return { outcome, text, drafts, tokens, prefill };
      });
    } finally {
      await model.close();
    }
  });
}

const ask = (content: string) => ({ messages: [{ role: "user", content }] });
const say = (when: string): string =>
  DEFAULT_ANSWERS.find((answer) => answer.when === when && answer.role !== "tool")!.say;

test("openOnnxDiffusionModel() opens a model that answers as its script says", async () => {
  await withChats(maskedDiffusionModel(), async (chat) => {
    for (const when of ["", "emoji", "json"]) {
      const { outcome, text } = await chat(ask(`Tell me of ${when}`));
      assert.equal(outcome.answer.message.content, say(when));
      assert.equal(text, say(when));
      assert.equal(outcome.answer.finishReason, "stop");
    }
  });
});

test("a diffusion model reports how it found its answer", async () => {
  await withChats(maskedDiffusionModel(), async (chat) => {
    const { outcome, tokens, prefill } = await chat({ ...ask("Hello"), seed: 11 });
    const { diffusion, promptTokens, completionTokens } = outcome;
    assert.equal(completionTokens, tokens);
    assert.deepEqual(prefill, [[0, promptTokens], [promptTokens, promptTokens]]);
    assert.equal(diffusion?.seed, 11);
    assert.equal(diffusion.canvasTokens, 64);
    assert.ok(diffusion.denoisingSteps > 0 && diffusion.denoisingSteps <= 16, `${diffusion.denoisingSteps} steps`);
    assert.equal(diffusion.workTokens, 64 * diffusion.denoisingSteps);
    assert.ok(diffusion.canvasTokensPerSecond > 0);
    assert.ok(
      Math.abs(diffusion.workTokensPerSecond / diffusion.canvasTokensPerSecond - diffusion.denoisingSteps) < 1e-6,
    );
    assert.ok(diffusion.firstDraftSeconds! > 0 && diffusion.firstDraftSeconds! <= outcome.firstTokenSeconds);
  });
});

// @row model-api > Chat rules > 11: diffusion: 256 tokens, seed, drafts, diagnostics, headers
// @row model-api > Limits > 256 tokens of a diffusion-style model
test("a diffusion model writes 256 tokens at most, over several canvases", async () => {
  await withChats(maskedDiffusionModel(), async (chat) => {
    const { outcome } = await chat({ ...ask("Go on forever"), max_tokens: 400 });
    assert.equal(outcome.completionTokens, 256);
    assert.equal(outcome.answer.finishReason, "length");
    assert.equal(outcome.diffusion?.canvasTokens, 256);
    const few = await chat({ ...ask("Go on forever"), max_tokens: 70 });
    assert.equal(few.outcome.completionTokens, 70);
    assert.equal(few.outcome.diffusion?.canvasTokens, 70);
  });
});

test("a diffusion model shows drafts on request, unknown tokens as shades", async () => {
  await withChats(maskedDiffusionModel(), async (chat) => {
    const { drafts, text } = await chat({ ...ask("Tell me a story"), stream: true, svc_show_unmasking: true });
    assert.ok(drafts.length > 16);
    assert.match(drafts[0].text, /\u2591/);
    assert.deepEqual(drafts.map((draft) => draft.step).slice(0, 16), Array.from({ length: 16 }, (_, i) => i + 1));
    assert.ok(drafts.every((draft) => draft.total_steps === 16 || draft.block_complete || draft.step < 16));
    const last = drafts[drafts.length - 1];
    assert.equal(last.text.trimEnd(), text.trimEnd());
    assert.equal(last.block_complete, true);
    assert.ok(last.canvas_index > 0);
    assert.deepEqual((await chat(ask("Tell me a story"))).drafts, []);
  });
});

// @row model-api > Chat rules > 11: diffusion: 256 tokens, seed, drafts, diagnostics, headers
test("a diffusion model calls tools", async () => {
  const tools = [{ type: "function", function: { name: "get_weather", parameters: { type: "object" } } }];
  await withChats(maskedDiffusionModel(), async (chat) => {
    const { outcome } = await chat({ ...ask("How is the weather?"), tools });
    assert.equal(outcome.answer.finishReason, "tool_calls");
    assert.deepEqual(outcome.answer.message.tool_calls?.map((call) => call.function), [
      { name: "get_weather", arguments: '{"city": "Paris"}' },
    ]);
  });
});

test("a diffusion model ends at a stop string", async () => {
  await withChats(maskedDiffusionModel(), async (chat) => {
    const { outcome } = await chat({ ...ask("Tell me a story"), stop: ["river"] });
    assert.equal(outcome.answer.message.content, say("story").slice(0, say("story").indexOf("river")));
    assert.equal(outcome.answer.finishReason, "stop");
  });
});

// @row model-api > Chat rules > 11: diffusion: 256 tokens, seed, drafts, diagnostics, headers
test("a diffusion model gives the same answer to the same seed", async () => {
  await withChats(maskedDiffusionModel(), async (chat) => {
    const hot = (seed: number) => chat({ ...ask("Hello"), temperature: 2, seed, max_tokens: 24 });
    const texts = await Promise.all([1, 2, 3, 1, 2, 3].map(async (seed) => (await hot(seed)).text));
    assert.deepEqual(texts.slice(0, 3), texts.slice(3));
  });
});

// @row model-api > Chat rules > 1: mapped or refused before generation, never dropped
test("a diffusion model refuses what it cannot do before it writes", async () => {
  await withChats(maskedDiffusionModel(), async (chat) => {
    const refused: [string, Record<string, unknown>][] = [
      ["logprobs", { logprobs: true }],
      ["presence_penalty", { presence_penalty: 1 }],
      ["frequency_penalty", { frequency_penalty: 1 }],
      ["repetition_penalty", { repetition_penalty: 1.1 }],
      ["response_format", { response_format: { type: "json_object" } }],
    ];
    for (const [param, fields] of refused) {
      await assert.rejects(chat({ ...ask("Hello"), ...fields }), { code: "unsupported_parameter", param });
    }
    for (const fields of [{ top_k: 1 }, { min_p: 0.5 }, { top_p: 0.5 }, { seed: 3 }, { logit_bias: { 5: -1 } }]) {
      assert.equal((await chat({ ...ask("Hello"), ...fields, max_tokens: 1 })).tokens, 1, JSON.stringify(fields));
    }
  });
});

test("a diffusion model stops between steps when it is aborted", async () => {
  await withChats(maskedDiffusionModel(), async (chat) => {
    const reason = new Error("enough");
    await assert.rejects(chat(ask("Hello"), AbortSignal.abort(reason)), reason);
  });
});

test("readDiffusionProfile() reads limits and features from the files", async () => {
  const given = maskedDiffusionModel();
  const profile = await readDiffusionProfile(memoryFiles(given));
  assert.equal(profile?.engine, "onnx-diffusion");
  assert.equal(profile.context, 2048);
  assert.equal(profile.maxOutputTokens, 256);
  assert.deepEqual(profile.sampling, { ...NEUTRAL_SAMPLING, temperature: 0 });
  assert.ok(profile.capabilities.features.has("drafts"));
  const config = JSON.parse(new TextDecoder().decode(given["config.json"]));
  const generation = { temperature: 0.4, top_p: 0.9 };
  const sampled = await readDiffusionProfile(memoryFiles({ ...given, "generation_config.json": generation }));
  assert.deepEqual(sampled?.sampling, { ...NEUTRAL_SAMPLING, temperature: 0.4, topP: 0.9 });
  const plain = { ...given, "config.json": { ...config, mask_token_id: undefined } };
  assert.equal(await readDiffusionProfile(memoryFiles(plain)), undefined);
  const mute = { ...given, "chat_template.jinja": undefined };
  assert.equal(
    await readDiffusionProfile(memoryFiles(Object.fromEntries(Object.entries(mute).filter(([, v]) => v)))),
    undefined,
  );
});

test("openOnnxDiffusionModel() refuses a mask that has no logit, and graphs of other kinds", async () => {
  const given = maskedDiffusionModel();
  const config = JSON.parse(new TextDecoder().decode(given["config.json"]));
  const refused = (files: GivenFiles, message: RegExp) =>
    withModelFiles(files, (files) => assert.rejects(openOnnxDiffusionModel(files, settings), { message }));
  await refused(
    { ...given, "config.json": { ...config, mask_token_id: -1 } },
    /expected mask_token_id in config\.json$/,
  );
  await refused(
    { ...given, "config.json": { ...config, mask_token_id: 9999 } },
    /^Cannot use config\.json: mask_token_id is 9999, expected one of \d+ tokens$/,
  );
  await refused(
    { ...given, "onnx/model.onnx": embeddingModel()["onnx/model.onnx"] },
    /^Cannot open the model: it is not a masked diffusion model/,
  );
  const causal = onnxChatModel()["onnx/model.onnx"];
  await refused(
    { ...given, "onnx/model.onnx": causal },
    /it has an input "past_key_values\.0\.key", expected a bidirectional model/,
  );
});
