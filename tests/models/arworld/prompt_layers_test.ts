import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { f32 } from "../../../lib/compute/tensor/mod.ts";
import { parseArworldConfig } from "../../../lib/models/arworld/parse_config.ts";
import { transformerShapes } from "../../../lib/models/arworld/config.ts";
import { PromptEncoder, textRanges } from "../../../lib/models/arworld/text/prompt_encoder.ts";
import type { TextStream } from "../../../lib/models/arworld/text/text_stream.ts";
import { openTokenizer } from "../../../lib/models/arworld/text/tokenizer.ts";
import { textCacheGraph } from "../../../lib/models/arworld/transformer/transformer_graphs.ts";
import { Weights } from "../../../lib/models/checkpoint/weights.ts";
import { seededRandom } from "../../support/random.ts";
import { randomWeight, tinyArworld, tinyBaseConfig, tinyCausalConfig } from "../../support/tiny_arworld.ts";

test("a streamed text passes through some layers at a time, with the result of all at once and no weights left", async () => {
  assert.deepEqual(textRanges(8), [{ first: 0, count: 6 }, { first: 6, count: 2 }]);
  const dit = { ...tinyCausalConfig.dit, num_layers: 8 };
  const config = parseArworldConfig(tinyBaseConfig, { ...tinyCausalConfig, dit });
  const random = seededRandom(4);
  const shapes = transformerShapes(config.transformer);
  const transformer = new Weights(new Map(Array.from(shapes, ([n, shape]) => [n, randomWeight(n, shape, random)])));
  const { textLen, textDim } = config.transformer;
  const rows = Float32Array.from({ length: textLen * textDim }, () => random() - 0.5);
  const json = new TextDecoder().decode(tinyArworld().base.get("tokenizer.json"));
  const device = await openOnnxDevice({ threads: 1 });
  try {
    const encoder = new PromptEncoder(device, {
      ...{ config, textEncoder: new Weights(new Map()), transformer },
      tokenizer: openTokenizer("tokenizer.json", JSON.parse(json)),
      stream: { encode: () => Promise.resolve(rows) } as unknown as TextStream,
    });
    const found = await encoder.encodeTokens([1, 2]);
    assert.equal(found.length, 8);
    const bytes = found.flatMap(({ k, v }) => [k, v]).reduce((sum, { byteLength }) => sum + byteLength, 0);
    assert.equal(device.memory().allocated, bytes);
    const program = await device.compile(textCacheGraph(config.transformer, transformer));
    const expected = await program.run({ text: f32([textLen, textDim], rows) });
    for (const [i, { k, v }] of found.entries()) {
      assert.deepEqual((await k.read()).data, (await expected[`text.k.${i}`].read()).data, `${i}`);
      assert.deepEqual((await v.read()).data, (await expected[`text.v.${i}`].read()).data, `${i}`);
    }
  } finally {
    device.dispose();
  }
});
