import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import type { BlockMemory, BlockRequest } from "../../../lib/models/world/world_model.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";
import { openTestDevice } from "../../support/webgpu_device.ts";

const geometry = { width: 64, height: 32 };
const PROMPTS = ["red hall", "a", "hall", "a red hall"];
const { base, causal } = tinyArworld();

/** Blocks of a world until its window is full. */
const FULL = 3;

/** A block that recalls a latent of the first, and keeps none. */
const RECALLS: BlockMemory = { recall: [{ frame: 1, latent: 1, strength: 0.5 }], store: [], forget: [] };
const STORES: BlockMemory = { recall: [], store: [0, 1, 2].map((n) => ({ frame: n, latent: n })), forget: [] };

function requestOf(world: number, block: number): BlockRequest {
  const views = Float32Array.from({ length: 48 }, (_, i) => {
    return i % 16 % 5 === 0 ? 1 : i % 16 === 11 ? 0.1 * world * Math.floor(i / 16) : 0;
  });
  const memory = block === 0 ? STORES : world % 2 === 0 ? RECALLS : undefined;
  return {
    prompt: PROMPTS[world % PROMPTS.length],
    seed: BigInt(10 * world + block),
    views,
    ...(memory && { memory }),
  };
}

/** Worlds on one device, each with its window full and that state kept. */
interface Worlds {
  readonly device: Device;
  readonly chains: readonly ArworldModel[];
  readonly kept: readonly number[];
  /** The worlds of every pass that was joined. */
  readonly joined: number[];
  /** Called before each of them. */
  before: () => void;
}

async function openWorlds(t: TestContext, count: number): Promise<Worlds | undefined> {
  const device = await openTestDevice();
  if (typeof device === "string") {
    t.skip(device);
    return undefined;
  }
  // Whether they gain by it is another test.
  device.estimate = () => ({ time: 1, scratchBytes: 0 });
  const joined: number[] = [];
  const compile = device.compile.bind(device);
  const model = new ArworldModel({
    ...{ id: "tiny", base: memoryRoot("base", base), causal: memoryRoot("causal", causal) },
    openDevice: () => Promise.resolve(device),
  });
  const chains = Array.from({ length: count }, (_, i) => i === 0 ? model : model.openChain());
  const worlds: Worlds = { device, chains, kept: [], joined, before: () => {} };
  device.compile = async (graph) => {
    const program = await compile(graph);
    const run = program.run.bind(program);
    program.run = (feeds, options) => {
      if (graph.entries === 1) return run(feeds, options);
      joined.push(graph.entries);
      worlds.before();
      return run(feeds, options);
    };
    return program;
  };
  const kept: number[] = [];
  for (const [world, chain] of chains.entries()) {
    await chain.prepare();
    const data = Uint8Array.from({ length: 3 * 64 * 32 }, (_, i) => (i * (world + 7)) % 256);
    await chain.begin({ ...geometry, data }, geometry);
    for (let block = 0; block < FULL; block++) await chain.generate(requestOf(world, block));
    kept.push(await chain.snapshot());
  }
  return Object.assign(worlds, { kept });
}

/** The frames of the blocks after the kept state. */
async function blocks(
  { chains, kept }: Worlds,
  world: number,
  count: number,
  signal?: AbortSignal,
): Promise<Uint8Array[]> {
  const films: Uint8Array[] = [];
  await chains[world].restore(kept[world]);
  for (let block = FULL; block < FULL + count; block++) {
    // As a server asks for the first block of a move.
    const early = block === FULL && { early: "whole" as const, onFrames: () => {} };
    films.push((await chains[world].generate(requestOf(world, block), { ...signal && { signal }, ...early })).data);
  }
  return films;
}

async function alone(worlds: Worlds, count: number): Promise<Uint8Array[][]> {
  const films: Uint8Array[][] = [];
  for (const world of worlds.chains.keys()) films.push(await blocks(worlds, world, count));
  assert.deepEqual(worlds.joined, [], "a world that is alone runs its own programs");
  return films;
}

test("worlds that generate at the same time share passes on a GPU, and each is bit for bit what it is alone", async (t) => {
  const worlds = await openWorlds(t, 4);
  if (!worlds) return;
  const expected = await alone(worlds, 2);
  for (const count of [2, 4]) {
    worlds.joined.length = 0;
    const ids: number[] = [...worlds.chains.keys()].slice(0, count);
    const films: Uint8Array[][] = await Promise.all(ids.map((world) => blocks(worlds, world, 2)));
    assert.deepEqual(films, expected.slice(0, count));
    // All five passes of both blocks, if they stay together.
    assert.ok(worlds.joined.length >= 5 && Math.max(...worlds.joined) === count, worlds.joined.join());
  }
  // Another one is at its beginning, with a window of its own length.
  const young = worlds.chains[0].openChain();
  await young.prepare();
  const start = async (): Promise<Uint8Array> => {
    await young.begin({ ...geometry, data: new Uint8Array(3 * 64 * 32).fill(60) }, geometry);
    return (await young.generate(requestOf(1, 0))).data;
  };
  const film = await start();
  const [again, ...films] = await Promise.all([start(), ...[0, 1].map((world) => blocks(worlds, world, 2))]);
  assert.deepEqual(again, film);
  assert.deepEqual(films, expected.slice(0, 2));
  for (const chain of [young, ...worlds.chains]) await chain.unload();
});

test("a world that is given up in a shared pass, or after it, leaves the others and its own chain as they were", async (t) => {
  const worlds = await openWorlds(t, 3);
  if (!worlds) return;
  const expected = await alone(worlds, 1);
  const together = (signalOf: (world: number) => AbortSignal | undefined) =>
    Promise.allSettled(worlds.chains.map((_, world) => blocks(worlds, world, 1, signalOf(world))));
  // In a pass that the others continue, and in the last.
  const leave = async (left: number, at: number): Promise<void> => {
    const abort = new AbortController();
    let passes = 0;
    worlds.before = () => void (++passes === at && abort.abort(new Error("left")));
    const results = await together((world) => world === left ? abort.signal : undefined);
    worlds.before = () => {};
    for (const [world, result] of results.entries()) {
      if (world === left) assert.match(String(result.status === "rejected" && result.reason), /left/);
      else assert.deepEqual(result, { status: "fulfilled", value: expected[world] });
    }
    assert.deepEqual(await blocks(worlds, left, 1), expected[left]);
  };
  await leave(0, 1);
  await leave(2, 5);
  const { allocated } = worlds.device.memory(); // with the programs of two worlds and of three
  await leave(0, 1);
  await leave(2, 5);
  // The device keeps a few bytes more for later, but no latents (384 bytes) or caches.
  assert.ok(worlds.device.memory().allocated - allocated < 384);
  for (const chain of worlds.chains) await chain.unload();
});

test("worlds whose shared pass fails, as where memory is short, run alone from then on", async (t) => {
  const worlds = await openWorlds(t, 3);
  if (!worlds) return;
  const expected = await alone(worlds, 2);
  worlds.before = () => {
    throw new Error("Cannot run program: WebGPU reported out of memory");
  };
  assert.deepEqual(await Promise.all([0, 1, 2].map((world) => blocks(worlds, world, 2))), expected);
  assert.deepEqual(worlds.joined, [3]);
  for (const chain of worlds.chains) await chain.unload();
});
