import assert from "node:assert/strict";
import { test } from "node:test";
import { readTokenizer } from "../../../lib/engines/files/tokenizer_files.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { readModelJson } from "../../../lib/engines/files/model_json.ts";
import { loadGgufModel, textFrame } from "../../../lib/engines/gguf_retrieval/load_gguf_model.ts";
import {
  openGgufEmbeddingModel,
  openGgufRerankModel,
} from "../../../lib/engines/gguf_retrieval/gguf_retrieval_models.ts";
import { readGgufEmbeddingProfile } from "../../../lib/engines/gguf_retrieval/read_gguf_retrieval_profile.ts";
import { EncoderGraph } from "../../../lib/engines/onnx_encoder/encoder_graph.ts";
import { SequenceEncoder } from "../../../lib/engines/onnx_encoder/sequence_encoder.ts";
import { openOnnxEmbeddingModel } from "../../../lib/engines/onnx_embedding/onnx_embedding_model.ts";
import { embeddingGemmaModel } from "../../fixtures/tiny_models/embedding_gemma/embedding_gemma_model.ts";
import { ggufEmbeddingGemma } from "../../fixtures/tiny_models/embedding_gemma/gguf_embedding_gemma.ts";
import { embeddingModel, type TinyPooling } from "../../fixtures/tiny_models/embedding_model.ts";
import { ggufEmbeddingModel, ggufRerankModel } from "../../fixtures/tiny_models/gguf_retrieval_models.ts";
import { rerankModel } from "../../fixtures/tiny_models/rerank_model.ts";
import { assertClose } from "../../support/assert_close.ts";
import { type GivenFiles, withModelFiles } from "../../support/model_files.ts";

const settings = { device: "cpu", threads: 1, missing: [], onProgress: () => {} };
const never = new AbortController().signal;
const texts = [
  "The lake.",
  " the lake ",
  "",
  "   ",
  "A text about lamps,  boats and bread; where is the lake?",
  "東京 🗼 and 東京🗼🗼",
  "word ".repeat(60),
  "ﬁne ﬂoors… cafe\u0301 CAFÉ ™",
  "a1b2-c3_d4(e)[f]{g} don't",
  "\u200bzero\u00a0width",
  "<not a token> ##ats кот",
  "x",
];

interface Case {
  readonly name: string;
  readonly gguf: GivenFiles;
  readonly onnx: GivenFiles;
  /** Is a token to one side and a text to the other. */
  readonly control: string;
}

const encoder = (kind: "word-pieces" | "xlm-roberta", pooling: TinyPooling, control: string): Case => ({
  name: `${kind} by ${pooling}`,
  gguf: ggufEmbeddingModel({ kind, pooling }),
  onnx: embeddingModel({ kind, pooling }),
  control,
});
const cases: readonly Case[] = [
  encoder("word-pieces", "mean", "[SEP]"),
  encoder("word-pieces", "cls", "[MASK]"),
  encoder("xlm-roberta", "cls", "</s>"),
  encoder("xlm-roberta", "mean", "<mask>"),
  { name: "EmbeddingGemma", gguf: ggufEmbeddingGemma(), onnx: embeddingGemmaModel(), control: "<mask>" },
];

async function sequenceEncoder(files: ModelFiles): Promise<SequenceEncoder> {
  return new SequenceEncoder(await readTokenizer(files), await readModelJson(files, "config.json") ?? {});
}

for (const { name, gguf, onnx, control } of cases) {
  test(`${name}: llama.cpp has the tokens of Hugging Face's tokenizer and the vectors of ONNX Runtime`, async () => {
    await withModelFiles(gguf, (files) =>
      withModelFiles(onnx, async (other) => {
        const encode = await sequenceEncoder(other);
        const profile = (await readGgufEmbeddingProfile(files))!;
        const loaded = await loadGgufModel(files, settings, ({ model, metadata, device }) => {
          const { open, close } = textFrame(model, metadata);
          const ids = (of: string) => [...open, ...model.tokenize(of, false), ...close].map(Number);
          return Promise.resolve({ profile, device, ids, close: () => model.dispose() });
        });
        for (const of of texts) assert.deepEqual(loaded.ids(of), [...encode.text(of).ids], JSON.stringify(of));
        assert.notDeepEqual(loaded.ids(control), [...encode.text(control).ids], control);
        await loaded.close();

        const [ours, theirs] = [
          await openGgufEmbeddingModel(files, settings),
          await openOnnxEmbeddingModel(other, settings),
        ];
        assert.deepEqual({ ...ours.profile, engine: "" }, { ...theirs.profile, engine: "" });
        const [found, expected] = [await ours.embed(texts, never), await theirs.embed(texts, never)];
        assert.equal(found.promptTokens, expected.promptTokens);
        for (const [i, vector] of found.vectors.entries()) {
          assertClose(vector, [...expected.vectors[i]], 2e-3, texts[i]);
        }
        await ours.close();
        await theirs.close();
      }));
  });
}

for (const kind of ["word-pieces", "xlm-roberta"] as const) {
  test(`a cross-encoder with the tokens of ${kind} reads pairs as its publisher does`, async () => {
    await withModelFiles(ggufRerankModel({ kind }), (files) =>
      withModelFiles(rerankModel({ kind }), async (other) => {
        const model = await openGgufRerankModel(files, settings);
        const graph = await EncoderGraph.open(other, {}, settings);
        const encode = await sequenceEncoder(other);
        for (const query of ["Where is the lake?", " the  lake"]) {
          const { scores, promptTokens } = await model.rerank(query, texts, never);
          const pairs = texts.map((text) => encode.pairsWith(query)(text));
          assert.equal(promptTokens, pairs.reduce((sum, { ids }) => sum + ids.length, 0));
          for (const [i, { ids }] of pairs.entries()) {
            // To llama.cpp both texts are of the first type.
            const { data } = await graph.run([{ ids, types: [] }], "logits");
            assertClose([scores[i]], [1 / (1 + Math.exp(-data[0]))], 2e-3, `${query}, ${texts[i]}`);
          }
        }
        await model.close();
        await graph.close();
      }));
  });
}
