import assert from "node:assert/strict";
import { test } from "node:test";
import { locateModel } from "../../lib/app/world/model_location.ts";
import { openWorldModels } from "../../lib/world/host/models/open_world_models.ts";
import type { WorldModel } from "../../lib/models/world/world_model.ts";
import { planRollout } from "../../lib/world/protocol/move_plan.ts";
import { smallCorridor } from "../support/small_corridor.ts";

/** Chains of different sizes, images, prompts and ways. */
const CHAINS = [
  { key: "w", seed: 42n, size: { width: 96, height: 64 }, tone: 7, prompt: "a corridor" },
  { key: "l", seed: 7n, size: { width: 64, height: 64 }, tone: 11, prompt: "a red hall" },
  { key: "s", seed: 42n, size: { width: 96, height: 64 }, tone: 13, prompt: "a corridor" },
] as const;
type Chain = typeof CHAINS[number];

async function begin(model: WorldModel, { size, tone }: Chain): Promise<void> {
  await model.prepare();
  const data = Uint8Array.from({ length: size.width * size.height * 3 }, (_, i) => (i * tone) % 200);
  await model.begin({ ...size, data }, size);
}

async function block(model: WorldModel, { key, seed, prompt }: Chain, depth: number): Promise<Uint8Array> {
  const [{ views }] = planRollout({ actions: [key], weights: [1], latentFrames: 3, speed: 1.5 }).blocks;
  return (await model.generate({ prompt, seed: seed + BigInt(depth), views })).data;
}

// @row world-session > Worlds > One engine for all: each world as if it were alone
test("chains on one engine make what each makes alone, block by block in turn, and undo apart", async () => {
  const { id, path, basePath } = await locateModel({ model: smallCorridor() });
  const host = () => openWorldModels({ id, path, basePath, device: "cpu", threads: 1 });
  const alone: Uint8Array[][] = [];
  for (const chain of CHAINS) {
    const model = host().openChain();
    await begin(model, chain);
    alone.push([await block(model, chain, 0), await block(model, chain, 1), await block(model, chain, 2)]);
    await model.unload();
  }
  const shared = host();
  const models = CHAINS.map(() => shared.openChain());
  await Promise.all(models.map((model, i) => begin(model, CHAINS[i])));
  const order: string[] = [];
  const together = await Promise.all(models.map(async (model, i) => {
    const blocks: Uint8Array[] = [];
    for (let depth = 0; depth < 2; depth++) {
      blocks.push(await block(model, CHAINS[i], depth));
      order.push(`${depth}`);
    }
    // A snapshot of one chain is not valid in another.
    const here = await model.snapshot();
    const last = await block(model, CHAINS[i], 2);
    await model.restore(here);
    assert.deepEqual(await block(model, CHAINS[i], 2), last);
    return [...blocks, last];
  }));
  assert.deepEqual(together, alone);
  assert.deepEqual(order, ["0", "0", "0", "1", "1", "1"]);
  // A chain that waits for its turn can be cancelled, and the others continue.
  const [first, second, third] = models;
  const running = block(first, CHAINS[0], 9);
  const abort = new AbortController();
  const [{ views }] = planRollout({ actions: ["w"], weights: [1], latentFrames: 3, speed: 1.5 }).blocks;
  const waiting = second.generate({ prompt: "p", seed: 1n, views }, { signal: abort.signal });
  abort.abort(new RangeError("enough"));
  await assert.rejects(waiting, { name: "RangeError" });
  await running;
  await first.unload();
  assert.equal((await block(third, CHAINS[2], 3)).length, 12 * 96 * 64 * 3);
  await second.unload();
  await third.unload();
});
