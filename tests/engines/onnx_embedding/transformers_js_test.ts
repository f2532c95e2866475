import assert from "node:assert/strict";
import { test } from "node:test";
import { embeddingModel } from "../../fixtures/tiny_models/embedding_model.ts";
import { writeModel } from "../../fixtures/tiny_models/write_model.ts";
import { openOnnxEmbeddingModel } from "../../../lib/engines/onnx_embedding/onnx_embedding_model.ts";
import { openModelFolder } from "../../../lib/store/model_folder.ts";
import { assertClose } from "../../support/assert_close.ts";
import { withFolder } from "../../support/temporary_folder.ts";

test("embed() gives the vectors that transformers.js gives", async () => {
  const { env, pipeline } = await import("@huggingface/transformers");
  const texts = ["The lake.", "", "A longer text about lamps, boats and bread at night."];
  await withFolder(async (folder) => {
    Object.assign(env, { allowRemoteModels: false, localModelPath: `${folder}/` });
    for (const kind of ["bert", "decoder"] as const) {
      for (const pooling of ["mean", "cls", "last_token"] as const) {
        const name = `${kind}-${pooling}`;
        const files = embeddingModel({ kind, pooling });
        writeModel(`${folder}/${name}`, files);
        const settings = { device: "cpu", threads: 1, missing: [] };
        const model = await openOnnxEmbeddingModel(openModelFolder(`${folder}/${name}`, Object.keys(files)), settings);
        const theirs = await pipeline("feature-extraction", name, { dtype: "fp32", device: "cpu" });
        const { vectors } = await model.embed(texts, new AbortController().signal);
        assert.equal(vectors.length, texts.length);
        for (const [i, text] of texts.entries()) {
          // One by one: in a batch their last token is that of the longest text.
          const { data } = await theirs(text, { pooling, normalize: true });
          assertClose(vectors[i], data as Float32Array, 1e-6, `${name} ${text}`);
        }
        await theirs.dispose();
        await model.close();
      }
    }
  });
});
