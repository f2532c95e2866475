import assert from "node:assert/strict";
import { test } from "node:test";
import { BindGroups, type StepBindGroups } from "../../../lib/compute/webgpu/program_memory.ts";
import { GpuMemory } from "../../../lib/compute/webgpu/gpu_memory.ts";
import { PendingWaits } from "../../../lib/compute/webgpu/gpu_context.ts";

const mebibyte = 2 ** 20;

/** A device that makes buffers of nothing, and counts them. */
function bufferMaker(maxBufferSize: number) {
  const counts = { made: 0, destroyed: 0 };
  const createBuffer = ({ size }: GPUBufferDescriptor) => {
    counts.made++;
    return { size, destroy: () => counts.destroyed++ };
  };
  const device = { limits: { maxBufferSize }, createBuffer } as unknown as GPUDevice;
  return { memory: new GpuMemory(device), counts };
}

test("GpuMemory gives equal requests the same buffers again, in whatever order they were released", () => {
  const { memory, counts } = bufferMaker(2 ** 30);
  const run = (order: readonly number[]) => {
    const allocations = [100, 100, 500, 100].map((bytes) => memory.allocate(bytes));
    for (const i of order) allocations[i].release();
    return allocations.map(({ id }) => id);
  };
  const first = run([0, 1, 2, 3]);
  assert.equal(new Set(first).size, 4);
  for (const order of [[3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]]) assert.deepEqual(run(order), first);
  assert.deepEqual(counts, { made: 4, destroyed: 0 });
});

test("GpuMemory takes a buffer that is a little too large, and no other", () => {
  const { memory, counts } = bufferMaker(2 ** 30);
  memory.allocate(mebibyte).release();
  const smaller = memory.allocate(mebibyte * 0.9);
  assert.deepEqual([counts.made, smaller.buffer.size], [1, mebibyte]);
  assert.equal(memory.allocate(mebibyte * 0.8).buffer.size, Math.ceil(mebibyte * 0.8 / 16) * 16);
  smaller.release();
  assert.equal(memory.allocate(mebibyte + 16).buffer.size, mebibyte + 16);
  assert.equal(counts.made, 3);
});

test("GpuMemory keeps as many idle bytes as the device has memory for", () => {
  for (const [maxBufferSize, kept] of [[256, 256], [1024, 512], [2 ** 20, 2048]]) {
    const { memory, counts } = bufferMaker(maxBufferSize * mebibyte);
    const allocations = Array.from({ length: 25 }, () => memory.allocate(128 * mebibyte));
    for (const allocation of allocations) allocation.release();
    assert.equal(memory.allocated, kept * mebibyte);
    assert.equal(counts.made - counts.destroyed, kept / 128);
    memory.trim();
    assert.equal(memory.allocated, 0);
  }
});

test("GpuMemory keeps idle buffers beyond 256 MiB only where they do not raise the peak", () => {
  const { memory } = bufferMaker(2 ** 32);
  const outputs = (sizes: readonly number[]) => {
    for (const allocation of sizes.map((size) => memory.allocate(size * mebibyte))) allocation.release();
  };
  outputs([300, 300]);
  assert.equal(memory.peak, 600 * mebibyte);
  outputs([200, 200, 200]);
  assert.ok(memory.peak <= 600 * mebibyte + 256 * mebibyte);
  outputs([50, 60]);
  outputs([200, 200]);
  assert.ok(memory.peak <= 856 * mebibyte);
});

test("BindGroups finds the group of the same buffers, and drops those of a destroyed one", () => {
  const { memory } = bufferMaker(2 ** 30);
  const groups = new BindGroups(memory);
  const [one, two]: StepBindGroups[] = [new Map(), new Map()];
  const [a, b] = [memory.allocate(16), memory.allocate(16)];
  const group = (name: string) => ({ name }) as unknown as GPUBindGroup;
  const both = group("both");
  groups.keep(one, [a.id, b.id], both);
  groups.keep(one, [a.id, a.id], group("a"));
  groups.keep(two, [b.id], group("b"));
  assert.equal(groups.find(one, [a.id, b.id]), both);
  assert.equal(groups.find(two, [a.id, b.id]), undefined);
  b.release();
  memory.trim();
  assert.equal(groups.find(one, [a.id, b.id]), undefined);
  assert.deepEqual([one.size, two.size], [1, 0]);
  for (let i = 0; i < 100; i++) groups.keep(one, [a.id, i + 10], both);
  assert.ok(one.size <= 16 && groups.find(one, [a.id, 109]) === both);
  groups.dispose();
  assert.equal(one.size, 0);
});

test("PendingWaits settles as what is waited for does, and keeps nothing of it", async () => {
  const waits = new PendingWaits();
  assert.equal(await waits.wait(Promise.resolve(3)), 3);
  await assert.rejects(waits.wait(Promise.reject(new Error("no"))), /no/);
  for (let i = 0; i < 1000; i++) await waits.wait(Promise.resolve(i));
  await Promise.resolve();
  assert.equal(waits.size, 0);
});

test("PendingWaits rejects what is waited for once it is closed, then and later", async () => {
  const waits = new PendingWaits();
  const never = new Promise<void>(() => {});
  const pending = [waits.wait(never), waits.wait(never)];
  assert.equal(waits.size, 2);
  waits.close(new Error("lost"));
  for (const wait of pending) await assert.rejects(wait, /lost/);
  await assert.rejects(waits.wait(never), /lost/);
  assert.equal(waits.size, 0);
});
