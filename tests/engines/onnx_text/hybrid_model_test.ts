import assert from "node:assert/strict";
import { test } from "node:test";
import { onnxChatModel, type OnnxChatModelOptions } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { withModelFiles } from "../../support/model_files.ts";
import { tinyJob, tinyPrompt, withTinyModel, write } from "../../support/tiny_text_model.ts";
import { withPlainDecoder } from "./plain_decoder.ts";

/** Graph signatures of published families, with the test's own sizes. */
const families: Readonly<Record<string, OnnxChatModelOptions>> = {
  "LFM2 (past_conv)": { kind: "gqa", mixer: "conv", logitsToKeep: true },
  "Granite 4 (past_conv, past_ssm)": { kind: "gqa", mixer: "ssm" },
  "Falcon H1 (past_conv, past_ssm, positions)": { kind: "std", mixer: "ssm" },
  "Qwen 3.5 (past_conv, past_recurrent, three positions)": { kind: "std", mixer: "recurrent", threePositions: true },
  "Qwen2-VL (three positions)": { kind: "std", threePositions: true },
};

for (const [name, graph] of Object.entries(families)) {
  const model = { ...graph, script: false, sizes: { layers: 4 } } as const;
  test(`generate() answers as the graph itself does on ${name}, alone, in company and after kept states`, async () => {
    // Longer than a step of the prompt, and shorter.
    const texts = [tinyPrompt(150, 1), tinyPrompt(33, 2), tinyPrompt(40, 3)];
    const answers: [prompt: readonly number[], ids: readonly number[]][] = [];
    await withTinyModel(model, async (opened) => {
      const jobs = texts.map((prompt) => tinyJob(prompt, { maxTokens: 6, stablePrefix: prompt.length - 10 }));
      const together = await Promise.all(jobs.map((job) => write(opened, job)));
      together.forEach(({ ids }, i) => answers.push([texts[i], ids]));
      const next = [...texts[0], ...together[0].ids.slice(0, 5), ...tinyPrompt(9, 4)];
      const continued = await write(opened, tinyJob(next));
      assert.equal(continued.cachedTokens, 155, "the answer but its last token was kept");
      const other = [...texts[1].slice(0, 23), ...tinyPrompt(12, 5)];
      const parted = await write(opened, tinyJob(other));
      assert.equal(parted.cachedTokens, 23, "what stays the same of a prompt was kept");
      answers.push([next, continued.ids], [other, parted.ids]);
      const { mtp, prefixKVCache } = opened.counters();
      if (graph.mixer) assert.equal(mtp!.rounds, 0, "what was guessed wrong could not be taken back");
      assert.equal(prefixKVCache!.hits, 2);
    });
    await withModelFiles(onnxChatModel(model), async (files) => {
      await withPlainDecoder(files, "onnx/model.onnx", async (logitsOf) => {
        for (const [prompt, ids] of answers) {
          assert.ok(ids.length > 0);
          const logits = await logitsOf([...prompt, ...ids]);
          const likeliest = ids.map((_, i) => logits[prompt.length - 1 + i]).map((of) => of.indexOf(Math.max(...of)));
          assert.deepEqual(ids, likeliest);
        }
      });
    });
  });
}
