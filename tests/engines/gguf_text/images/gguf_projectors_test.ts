import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatTemplate, readChatRequest } from "../../../../lib/protocol/mod.ts";
import { MEDIA_MARK } from "../../../../lib/engines/gguf_text/images/reader_service.ts";
import { base64Of } from "../../../../lib/protocol/speech_events.ts";
import { readGgufProfile } from "../../../../lib/engines/gguf_text/gguf_profile.ts";
import { forkProcess } from "../../../../lib/platform/processes/fork_process.ts";
import type { ChatOutcome } from "../../../../lib/engines/contract/chat_engine.ts";
import type { GgufFamilyName } from "../../../fixtures/tiny_models/gguf_families/family_table.ts";
import { ggufFamilyModel } from "../../../fixtures/tiny_models/gguf_families/gguf_family_model.ts";
import { ggufFamilyProjector } from "../../../fixtures/tiny_models/gguf_families/gguf_family_projector.ts";
import type { GgufProjectorName } from "../../../fixtures/tiny_models/gguf_families/projector_table.ts";
import { ggufProjector } from "../../../fixtures/tiny_models/gguf_vision_model.ts";
import { withModelFiles } from "../../../support/model_files.ts";
import type { MtmdAnswer, MtmdQuestion } from "./mtmd_reference_process.ts";
import { BLUE, IMAGE, plain, RED, withVisionModel } from "./open_tiny_vision.ts";

async function askMtmd(question: MtmdQuestion): Promise<MtmdAnswer> {
  const { onMessage, send, exited, kill } = forkProcess(new URL("./mtmd_reference_process.ts", import.meta.url), {
    onLine: () => {},
    ended: (how) => new Error(how),
  });
  try {
    const answer = new Promise<MtmdAnswer>((resolve) =>
      onMessage((message) => Array.isArray(message) && resolve(message))
    );
    await send(question);
    return await Promise.race([answer, exited.then((error) => Promise.reject(error))]);
  } finally {
    kill();
    await exited;
  }
}

/** Of the likeliest tokens after a prompt, the likeliest first. */
const firstLogprobs = ({ logprobs }: ChatOutcome): number[] =>
  logprobs!.content[0].top_logprobs.map((top) => top.logprob);
const difference = (some: readonly number[], others: readonly number[]): number =>
  Math.max(...some.map((logprob, i) => Math.abs(logprob - others[i])));

async function thrice(...image: Parameters<typeof plain>): Promise<Uint8Array[]> {
  return new Array(3).fill(await plain(...image));
}

const projectors: readonly (readonly [GgufFamilyName, GgufProjectorName | "mlp"])[] = [
  ["llama", "mlp"],
  ["gemma3", "gemma3"],
  ["gemma4", "gemma4v"],
  ["qwen35", "qwen3vl_merger"],
  ["mistral3", "pixtral"],
];

for (const [family, kind] of projectors) {
  test(`gguf-text sees what ${kind} makes of an image as mtmd does, in the graph of ${family}`, async () => {
    const projector = kind === "mlp" ? ggufProjector(1, 64) : ggufFamilyProjector(kind);
    const files = { ...ggufFamilyModel(family), "mmproj-F16.gguf": projector };
    // Longer than the sliding windows of the families that have one.
    const text = "Good morning! What do you see here, and what do you think of it?";
    const chat = (image: unknown, last: unknown) => [
      { role: "user", content: image },
      { role: "assistant", content: "Yes." },
      { role: "user", content: image },
      { role: "assistant", content: "No." },
      { role: "user", content: last },
    ];
    const messages = chat([IMAGE], [{ type: "text", text }, IMAGE]);
    const fields = { logprobs: true, top_logprobs: 5, max_tokens: 3 };
    const images = await thrice(RED, 64, 48);
    const further = [...messages, { role: "assistant", content: "Maybe." }, { role: "user", content: "And now?" }];
    let fresh: number[] = [];
    await withVisionModel(files, { prefixCache: false }, async (ask, model) => {
      fresh = firstLogprobs(await ask(further, { images, fields }));
      const seen = await ask(messages, { images, fields });
      const logprobs = firstLogprobs(seen);
      const other = await ask(messages, { images: await thrice(BLUE, 64, 48), fields });
      const matter = difference(firstLogprobs(other), logprobs);
      assert.equal(other.promptTokens, seen.promptTokens);
      const wide = await ask(messages, { images: await thrice(RED, 200, 20), fields });
      assert.equal(wide.answer.finishReason, "length");
      await withModelFiles(files, async (folder) => {
        assert.ok((await readGgufProfile(folder))?.capabilities.features.has("images"));
        const request = readChatRequest({ model: "", messages: chat(MEDIA_MARK, `${text}${MEDIA_MARK}`) });
        const probs = await askMtmd({
          model: folder.path("tiny-chat.gguf"),
          projector: folder.path("mmproj-F16.gguf"),
          prompt: new ChatTemplate(model.template).render(request, new Date(0)).text,
          images: images.map((image) => `data:image/png;base64,${base64Of(image)}`),
        });
        const expected = probs.map(({ prob }) => Math.log(prob)).sort((a, b) => b - a);
        const error = difference(logprobs, expected);
        assert.ok(
          error < Math.min(0.1, matter / 4),
          `${logprobs} is not ${expected}; what is seen matters by ${matter}`,
        );
      });
    });
    await withVisionModel(files, {}, async (ask) => {
      const first = await ask(messages, { images, fields });
      const next = await ask(further, { images, fields });
      assert.ok(next.cachedTokens > 40, `${next.cachedTokens} of ${first.promptTokens}`);
      const error = difference(firstLogprobs(next), fresh);
      assert.ok(error < 0.1, `${firstLogprobs(next)} is not ${fresh} after a kept image`);
      assert.equal((await ask(messages, { images, fields })).promptTokens, first.promptTokens);
    });
  });
}
