import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chooseTiles,
  type ProductSize,
  sliceBuffers,
  sliceDepth,
  slicesOf,
  workgroupBytes,
  workgroupsOf,
} from "../../../lib/compute/webgpu/lowering/choose_tiles.ts";
import { DESKTOP_LIMITS } from "../../../lib/compute/webgpu/plan_program.ts";
import type { GpuLimits } from "../../../lib/compute/webgpu/gpu_context.ts";
import type { TileKind } from "../../../lib/compute/webgpu/matrix_tiles.ts";
import { seededRandom } from "../../support/random.ts";

/** A card with tensor cores. */
const card: GpuLimits = { ...DESKTOP_LIMITS, tile: "MATRIX16", maxComputeWorkgroupStorageSize: 49152, processors: 132 };
const product = (rows: number, inner: number, columns: number, batch = 1): ProductSize => ({
  ...{ rows, columns, inner, batch, taps: 1 },
});

/** Sizes from one to some thousands, small ones as often as large ones. */
function randomSizes(count: number): ProductSize[] {
  const random = seededRandom(36);
  const length = (most: number) => Math.floor(most ** random()) + Math.floor(random() * 3);
  return Array.from({ length: count }, () => ({
    ...{ rows: length(9000) || 1, columns: length(9000) || 1, inner: length(9000) || 1 },
    ...{ taps: length(27) || 1, batch: length(50) || 1 },
  }));
}

test("chooseTiles() gives the products of a published world more workgroups than a card has processors", () => {
  // [rows, inner, columns] of 480 tokens: projections, their halves, those of cameras, and of the feed-forward layer.
  for (const [inner, columns] of [[3072, 3072], [3072, 6144], [3072, 14336], [14336, 3072], [3072, 768]]) {
    const size = product(480, inner, columns);
    const tiling = chooseTiles(size, card, "f16");
    assert.ok(tiling.side !== undefined, `${columns} columns`);
    assert.ok(workgroupsOf(size, tiling) > 132, `${columns} columns: ${workgroupsOf(size, tiling)} workgroups`);
  }
});

test("chooseTiles() takes tiles for few pixels of many channels, as a decoder has them", () => {
  const size: ProductSize = { rows: 1024, columns: 20 * 32, inner: 1024, taps: 27, batch: 1 };
  const tiling = chooseTiles(size, card, "f16");
  assert.ok(tiling.side !== undefined);
  assert.ok(workgroupsOf(size, tiling) >= 100, `${workgroupsOf(size, tiling)} workgroups`);
});

test("chooseTiles() computes products by 4 x 4 matrices in blocks, without a workgroup too many", () => {
  for (const limits of [card, DESKTOP_LIMITS]) {
    const size = product(15360, 4, 4, 6);
    const tiling = chooseTiles(size, limits, "f16");
    assert.deepEqual(tiling, { side: undefined, parts: 1 });
    assert.equal(workgroupsOf(size, tiling), 6 * 15360 / 4 / 64);
  }
});

test("chooseTiles() adds the products of several entries up as those of one alone", () => {
  for (const limits of [card, { ...card, tile: "MATRIX8" as const }, DESKTOP_LIMITS]) {
    for (const one of randomSizes(100).map((size) => ({ ...size, taps: 1 }))) {
      for (const entries of [2, 3, 4]) {
        const whole = one.batch > 1 ? { ...one, batch: entries * one.batch } : { ...one, rows: entries * one.rows };
        const [alone, joined] = [one, { ...whole, entries }].map((size) => chooseTiles(size, limits, "f16"));
        assert.equal(joined.parts, alone.parts);
        assert.equal(joined.side === undefined, alone.side === undefined);
        if (limits === DESKTOP_LIMITS) assert.equal(joined.side, alone.side);
      }
    }
  }
  // Tiles of 128 are too few for 480 tokens of a world, but not for those of four.
  const sides = [1, 4].map((entries) =>
    chooseTiles({ ...product(480 * entries, 3072, 3072), entries }, card, "f16").side
  );
  assert.deepEqual(sides, [64, 128]);
  assert.throws(() => chooseTiles({ ...product(9, 64, 64), entries: 2 }, card, "f16"), RangeError);
});

test("chooseTiles() takes large tiles where there are enough of them", () => {
  assert.deepEqual(chooseTiles(product(4096, 4096, 4096), card, "f16"), { side: 128, parts: 1 });
  assert.deepEqual(chooseTiles(product(4096, 4096, 4096), DESKTOP_LIMITS, "f32"), { side: 128, parts: 1 });
});

test("chooseTiles() covers a product, its parts none of them empty, within the memory of a device", () => {
  for (const tile of ["PORTABLE", "MATRIX8", "MATRIX16"] as const) {
    for (const maxComputeWorkgroupStorageSize of [undefined, 16384, 32768]) {
      for (const size of randomSizes(400)) {
        const limits = { ...card, tile, maxComputeWorkgroupStorageSize };
        const { side, parts } = chooseTiles(size, limits, "f32");
        const slices = slicesOf(size, tile);
        assert.ok(parts >= 1 && parts <= Math.max(1, slices * sliceDepth(tile) / 256));
        if (!side) continue;
        assert.ok(tile !== "PORTABLE" || parts === 1);
        const bytes = workgroupBytes(tile, "f32", side, tile === "PORTABLE" ? 1 : sliceBuffers(limits, "f32", side));
        assert.ok(bytes <= (maxComputeWorkgroupStorageSize ?? 16384), `${tile} ${side}: ${bytes}`);
      }
    }
  }
});

test("chooseTiles() fills the processors with a long product that can be divided", () => {
  for (const processors of [8, 40, 132, 188]) {
    for (const size of randomSizes(800)) {
      const long = { ...size, inner: size.inner + 4096 };
      const limits = { ...card, processors };
      const tiling = chooseTiles(long, limits, "f16");
      const all = workgroupsOf(long, { side: 64, parts: 16 }); // as many as can be had
      const least = Math.min(processors, all) / 2;
      assert.ok(workgroupsOf(long, tiling) >= least, `${processors}: ${JSON.stringify({ long, tiling })}`);
    }
  }
});

test("chooseTiles() never gives more work fewer busy processors", () => {
  const busy = (size: ProductSize, limits: GpuLimits) =>
    Math.min(limits.processors!, workgroupsOf(size, chooseTiles(size, limits, "f16")));
  for (const tile of ["PORTABLE", "MATRIX16"] as TileKind[]) {
    const limits = { ...card, tile };
    for (const size of randomSizes(800)) {
      const [before, after] = [size, { ...size, batch: 4 * size.batch }].map((each) => busy(each, limits));
      assert.ok(after >= before * 0.75, `${tile}: ${JSON.stringify(size)}, ${before} before, ${after} after`);
    }
  }
});

test("chooseTiles() goes by the number of processors", () => {
  const sides = [8, 132].map((processors) => chooseTiles(product(480, 3072, 3072), { ...card, processors }, "f16"));
  assert.deepEqual(sides.map(({ side }) => side), [128, 64]);
});

test("chooseTiles() leaves a product whole where its partial sums are not wanted or cannot be bound", () => {
  const size = product(130, 8192, 130);
  assert.ok(chooseTiles(size, card, "f16").parts > 1);
  assert.equal(chooseTiles(size, card, "f16", "tiles").parts, 1);
  assert.equal(chooseTiles(size, card, "f16", "blocks").side, undefined);
  assert.equal(chooseTiles(size, { ...card, maxStorageBufferBindingSize: 130 * 130 * 4 }, "f16").parts, 1);
});
