import assert from "node:assert/strict";
import { test } from "node:test";
import { onnxChatModel } from "../../fixtures/tiny_models/onnx_chat_model.ts";
import { readTokenizer } from "../../../lib/engines/files/tokenizer_files.ts";
import { readCausalScore, readRerankProfile } from "../../../lib/engines/onnx_rerank/read_rerank_profile.ts";
import { openCausalRerankModel } from "../../../lib/engines/onnx_rerank/onnx_rerank_models.ts";
import { type GivenFiles, memoryFiles, withModelFiles } from "../../support/model_files.ts";
import { plainLogits } from "../onnx_text/plain_decoder.ts";

const settings = { device: "cpu", threads: 1, missing: [] };
const never = new AbortController().signal;
const template = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}" +
  "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/** The files of a causal language model as sentence-transformers 5.4 writes them for its cross-encoders. */
const reranker: GivenFiles = {
  ...onnxChatModel({ kind: "gqa", script: false, logitsToKeep: true }),
  "chat_template.jinja": template,
  "modules.json": [
    { idx: 0, name: "0", path: "", type: "sentence_transformers.base.modules.transformer.Transformer" },
    { idx: 1, name: "1", path: "1_LogitScore", type: "sentence_transformers.cross_encoder.modules.LogitScore" },
  ],
  "1_LogitScore/config.json": { true_token_id: 101, false_token_id: 70 },
  "config_sentence_transformers.json": { prompts: { web: "Judge." }, default_prompt_name: "web" },
};

test("rerank() asks a causal language model about each text, and scores its answer", async () => {
  const texts = ["Behind the hill.", "b", "word ".repeat(60)];
  for (const fitsNot of [70, null]) {
    const given = { ...reranker, "1_LogitScore/config.json": { true_token_id: 101, false_token_id: fitsNot } };
    await withModelFiles(given, async (files) => {
      assert.equal((await readRerankProfile(files))?.engine, "onnx-rerank");
      const model = await openCausalRerankModel(files, (await readCausalScore(files))!, settings);
      const [first, again] = await Promise.all([1, 2].map(() => model.rerank("Where is the lake?", texts, never)));
      await assert.rejects(model.rerank("x", texts, AbortSignal.abort(new Error("gone"))), /gone/);
      await model.close();
      assert.deepEqual(again, first);
      const tokenizer = await readTokenizer(files);
      for (const [i, text] of texts.entries()) {
        const prompt = [["system", "Judge."], ["query", "Where is the lake?"], ["document", text]]
          .map(([role, content]) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join("");
        const { ids } = tokenizer.encode(`${prompt}<|im_start|>assistant\n`, { add_special_tokens: false });
        const last = (await plainLogits(files, "onnx/model.onnx", ids)).at(-1)!;
        const score = last[101] - (fitsNot === null ? 0 : last[fitsNot]);
        assert.ok(Math.abs(first.scores[i] - 1 / (1 + Math.exp(-score))) < 1e-5, `${i}`);
      }
    });
  }
});

test("readCausalScore() says what a reranker lacks", async () => {
  const of = (more: GivenFiles) => readCausalScore(memoryFiles({ ...reranker, ...more }));
  assert.equal(await readCausalScore(memoryFiles(onnxChatModel())), undefined);
  await assert.rejects(of({ "1_LogitScore/config.json": {} }), /it has no true_token_id/);
  await assert.rejects(of({ "chat_template.jinja": "{{ messages[0].content }}" }), /the roles query and document/);
});
