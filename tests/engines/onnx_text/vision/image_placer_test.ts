import assert from "node:assert/strict";
import { test } from "node:test";
import type { PromptImage } from "../../../../lib/engines/contract/language_model.ts";
import { ImagePlacer, imageText } from "../../../../lib/engines/onnx_text/vision/image_placer.ts";
import type { VisionLayout } from "../../../../lib/engines/onnx_text/vision/vision_layout.ts";
import { encodePng } from "../../../../lib/media/mod.ts";

const never = new AbortController().signal;
const plain: VisionLayout = {
  family: "plain",
  markToken: 1,
  imageToken: 1,
  endToken: undefined,
  recipe: {
    size: { width: 4, height: 4 },
    crop: undefined,
    tile: undefined,
    kernel: "linear",
    scale: 1,
    mean: [0, 0, 0],
    std: [1, 1, 1],
  },
  encoder: "onnx/vision_encoder.onnx",
  input: { type: "float32", rank: 4, mask: false },
};
const names = ["", "<image>", "<start>", "<end>"];
const textOf = (id: number): string => names[id];

async function picture(shade: number, detail: PromptImage["detail"] = "auto"): Promise<PromptImage> {
  return { bytes: await encodePng({ width: 2, height: 2, data: new Uint8Array(12).fill(shade) }), detail };
}

/** Two vectors for each piece, which encode its first pixel; counts the pieces that it has seen. */
function placer(layout: VisionLayout): { placer: ImagePlacer; seen: number[] } {
  const seen: number[] = [];
  return {
    seen,
    placer: new ImagePlacer({
      layout,
      encoder: {
        encode: ({ data }) => {
          seen.push(data[0]);
          return Promise.resolve({ data: Float32Array.of(data[0], 1, data[0], 2), width: 2 });
        },
      },
      encode: (text) =>
        [...text.matchAll(/<[^>]+>|[^<]/g)].map(([piece]) => Math.max(names.indexOf(piece), 0) || 100 + piece.length),
      textOf,
    }),
  };
}

test("ImagePlacer.place() gives each vector an id below 0 that no other image has", async () => {
  const { placer: images } = placer(plain);
  const one = await images.place(await picture(7), never);
  assert.deepEqual(one.ids, [-1, -2]);
  assert.deepEqual(one.vectors, { firstId: -1, rows: Float32Array.of(7, 1, 7, 2), width: 2 });
  const two = await images.place(await picture(8), never);
  assert.deepEqual(two.ids, [-3, -4]);
  assert.equal(two.vectors.firstId, -3);
});

test("ImagePlacer.place() reuses an image, and keeps at most 16 of them", async () => {
  const { placer: images, seen } = placer(plain);
  const first = await images.place(await picture(0), never);
  assert.equal(await images.place(await picture(0), never), first);
  assert.deepEqual(seen, [0]);
  for (let shade = 1; shade < 16; shade++) await images.place(await picture(shade), never);
  assert.equal(await images.place(await picture(0), never), first);
  await images.place(await picture(16), never);
  assert.equal(await images.place(await picture(0), never), first);
  assert.notDeepEqual((await images.place(await picture(1), never)).ids, [-3, -4]);
  images.clear();
  assert.notEqual(await images.place(await picture(0), never), first);
});

test("ImagePlacer.place() writes marks around the pieces of a picture", async () => {
  const { placer: framed } = placer({ ...plain, family: "framed", markToken: 2, endToken: 3 });
  assert.deepEqual((await framed.place(await picture(1), never)).ids, [101, 101, 2, -1, -2, 3, 101, 101]);
  const tiled = { ...plain.recipe, size: { shortest: undefined, longest: 8 }, tile: 4 };
  const { placer: squares, seen } = placer({ ...plain, family: "tiled", recipe: tiled });
  const { ids, vectors } = await squares.place(await picture(1), never);
  assert.equal(seen.length, 5);
  assert.deepEqual(ids.filter((id) => id < 0), [-1, -2, -3, -4, -5, -6, -7, -8, -9, -10]);
  assert.equal(vectors.rows.length, 20);
  const low = await squares.place(await picture(1, "low"), never);
  assert.equal(low.ids.filter((id) => id < 0).length, 2);
});

test("ImagePlacer.place() stops between pieces when it is aborted", async () => {
  const { placer: images } = placer(plain);
  const reason = new Error("enough");
  await assert.rejects(images.place(await picture(1), AbortSignal.abort(reason)), reason);
});

test("imageText() writes what transformers.js writes for Idefics3", async () => {
  const { Idefics3Processor } = await import("@huggingface/transformers");
  const tiled: VisionLayout = { ...plain, family: "tiled" };
  for (const [rows, columns] of [[0, 0], [1, 2], [3, 2]]) {
    let written = "";
    const components = {
      image_processor: () => Promise.resolve({ rows: [[rows]], cols: [[columns]] }),
      tokenizer: (texts: string[]) => {
        written = [texts].flat().join();
        return {};
      },
    };
    const processor = new Idefics3Processor({ image_seq_len: 3 }, components, "");
    await processor._call("a<image>b", {} as never);
    assert.equal(`a${imageText(tiled, { rows, columns, vectors: 3 }, textOf)}b`, written);
  }
});
