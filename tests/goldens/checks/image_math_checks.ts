/**
 * Checks of what an image model computes outside its networks: schedule, positions, token order, reference pictures.
 *
 * @module
 */
import {
  imageTokenPositions,
  packTokens,
  patchifyLatents,
  referenceTokenPositions,
  rotaryTables,
  sequencePositions,
  textTokenPositions,
  unpackTokens,
  unpatchifyLatents,
} from "../../../lib/models/flux2/tokens.ts";
import { prepareReference, referenceSize } from "../../../lib/models/flux2/reference_image.ts";
import { noiseLevels, scheduleShift } from "../../../lib/models/flux2/schedule.ts";
import { rgbPlanes } from "../../../lib/models/images/planes.ts";
import { type Device, rope, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import type { RgbImage } from "../../../lib/media/images/rgb_image.ts";
import type { Checks } from "../check.ts";
import type { Golden } from "../golden.ts";
import { runGraph } from "../run_graph.ts";

export const imageMathChecks: Checks = { img_schedule, img_ids, img_pack, img_reference_prep };

function img_schedule(golden: Golden): void {
  const [tokens, steps] = [golden.stored("tokens").data, golden.stored("steps").data];
  const expected = golden.expected("mu").data;
  const relative = Array.from(tokens, (n, i) => scheduleShift(n, steps[i]) / expected[i] - 1);
  golden.judge("mu", Math.max(...relative.map(Math.abs)), 2e-6);
  (golden.config.schedules as [number, number][]).forEach(([count, n], i) => {
    const levels = noiseLevels(count, n);
    golden.compare(`${i}.sigmas`, levels, 1e-6);
    golden.compare(`${i}.timesteps`, levels.subarray(0, n).map((level) => 1000 * level), 1e-3);
  });
}

async function img_ids(golden: Golden, device: Device): Promise<void> {
  interface Case {
    readonly text: number;
    readonly latent: readonly [number, number];
    readonly refs: readonly (readonly [number, number])[];
    readonly axes: readonly number[];
    readonly theta: number;
  }
  const sizeOf = ([height, width]: readonly [number, number]) => ({ width, height });
  for (const [i, c] of (golden.config.cases as Case[]).entries()) {
    const references = c.refs.map(sizeOf);
    golden.compare(`${i}.txt_ids`, textTokenPositions(c.text), 0);
    golden.compare(`${i}.img_ids`, imageTokenPositions(sizeOf(c.latent)), 0);
    if (references.length > 0) {
      const ids = references.flatMap((size, r) => Array.from(referenceTokenPositions(size, r)));
      golden.compare(`${i}.ref_ids`, ids, 0);
    }
    const tables = rotaryTables(sequencePositions(c.text, sizeOf(c.latent), references), c.axes, c.theta);
    compareTables(golden, `${i}.`, tables);
    const { y } = await runGraph(device, { x: golden.input(`${i}.x`), ...tables }, (v) => ({
      y: rope(v.x, v.cos, v.sin),
    }));
    golden.compare(`${i}.rotated`, y.data, 5e-6);
  }
  compareTables(golden, "full.", rotaryTables(golden.stored("full_ids").data, [32, 32, 32, 32], 2000));
}

/** The files hold every angle twice. */
function compareTables(golden: Golden, prefix: string, tables: Record<"cos" | "sin", Tensor<"f32">>): void {
  for (const name of ["cos", "sin"] as const) {
    const { data } = tables[name];
    golden.compare(`${prefix}${name}`, Float32Array.from({ length: 2 * data.length }, (_, i) => data[i >> 1]), 2e-6);
  }
}

async function img_pack(golden: Golden, device: Device): Promise<void> {
  for (const [i] of (golden.config.cases as unknown[]).entries()) {
    const [, h, w] = golden.shapeOf(`${i}.unpacked`);
    const inputs = { z: golden.input(`${i}.z`), tokensIn: golden.input(`${i}.tokens_in`) };
    const got = await runGraph(device, inputs, ({ z, tokensIn }) => {
      const patchified = patchifyLatents(z);
      const unpacked = unpackTokens(tokensIn, h, w);
      return { patchified, tokens: packTokens(patchified), unpacked, unpatchified: unpatchifyLatents(unpacked) };
    });
    for (const [name, t] of Object.entries(got)) golden.compare(`${i}.${name}`, t.data, 0);
  }
}

function img_reference_prep(golden: Golden): void {
  const cases = golden.config.cases as { area: number; repeat?: number }[];
  for (const [i, { area, repeat = 1 }] of cases.entries()) {
    const image = prepareReference(repeated(imageOf(golden, `${i}`), repeat), area);
    const { resized, cropped } = referenceSize(repeated(imageOf(golden, `${i}`), repeat), area);
    golden.compare(`${i}.sizes`, [resized.height, resized.width, cropped.height, cropped.width], 0);
    const planes = rgbPlanes(image);
    if (golden.has(`out.${i}.pixels`)) golden.compare(`${i}.pixels`, planes, 0.008);
    else compareLarge(golden, `${i}.`, planes, image.width, image.height);
  }
  const table = golden.expected("size_table");
  const rows = Array.from({ length: table.shape[0] }, (_, row) => {
    const [width, height] = table.data.subarray(6 * row);
    const { resized, cropped } = referenceSize({ width, height });
    return [width, height, resized.width, resized.height, cropped.width, cropped.height];
  });
  golden.compare("size_table", rows.flat(), 0);
}

function compareLarge(golden: Golden, prefix: string, planes: Float32Array, width: number, height: number): void {
  const region = (size: number, top: number, left: number) =>
    Float32Array.from({ length: 3 * size * size }, (_, i) => {
      const [c, y, x] = [Math.floor(i / (size * size)), Math.floor(i / size) % size, i % size];
      return planes[(c * height + top + y) * width + left + x];
    });
  const mean = (count: number, along: number, at: (c: number, i: number, j: number) => number) =>
    Float32Array.from({ length: 3 * count }, (_, k) => {
      let sum = 0;
      for (let j = 0; j < along; j++) sum += planes[at(Math.floor(k / count), k % count, j)];
      return sum / along;
    });
  const side = (corner: string) => golden.shapeOf(`${prefix}${corner}`)[1];
  golden.compare(`${prefix}top_left`, region(side("top_left"), 0, 0), 0.008);
  const last = side("bottom_right");
  golden.compare(`${prefix}bottom_right`, region(last, height - last, width - last), 0.008);
  golden.compare(`${prefix}row_mean`, mean(height, width, (c, y, x) => (c * height + y) * width + x), 0.008);
  golden.compare(`${prefix}col_mean`, mean(width, height, (c, x, y) => (c * height + y) * width + x), 0.008);
}

/** An input image [H,W,3]. */
export function imageOf(golden: Golden, name: string): RgbImage {
  const { shape: [height, width], data } = golden.stored(name);
  return { width, height, data: data as Uint8Array };
}

function repeated({ width, height, data }: RgbImage, times: number): RgbImage {
  const large = { width: width * times, height: height * times };
  const pixels = new Uint8Array(3 * large.width * large.height);
  for (let i = 0; i < pixels.length; i++) {
    const [y, x, c] = [Math.floor(i / (3 * large.width)), Math.floor(i / 3) % large.width, i % 3];
    pixels[i] = data[3 * (Math.floor(y / times) * width + Math.floor(x / times)) + c];
  }
  return { ...large, data: pixels };
}
