import assert from "node:assert/strict";
import { test } from "node:test";
import type { BlockRequest, GenerateOptions } from "../../../../lib/models/world/world_model.ts";
import type { StateFiles } from "../../../../lib/world/session/journal/chain_node.ts";
import { KeptChain } from "../../../../lib/world/session/journal/kept_chain.ts";
import { FakeWorldModel } from "../../../support/fake_world_model.ts";

const geometry = { width: 4, height: 2 };

class MemoryFiles implements StateFiles {
  readonly files = new Map<string, Uint8Array>();
  /** Removing a file waits for this. */
  gate: Promise<void> = Promise.resolve();

  write(name: string, bytes: Uint8Array): Promise<void> {
    this.files.set(name, bytes);
    return Promise.resolve();
  }
  read(name: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.files.get(name));
  }
  async remove(name: string): Promise<void> {
    await this.gate;
    this.files.delete(name);
  }
  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.files.keys()]);
  }
}

async function begun() {
  const [model, files] = [new FakeWorldModel(), new MemoryFiles()];
  const chain = new KeptChain<BlockRequest, GenerateOptions>(model, { files, replaySeconds: 0 });
  await chain.begin({ width: 4, height: 2, data: new Uint8Array(24).fill(9) }, geometry);
  return { model, files, chain };
}

function block(seed: bigint): BlockRequest {
  return { prompt: "a corridor", seed, views: new Float32Array(48) };
}

test("a state is not kept while the model makes the next one of it", async () => {
  const { model, chain } = await begun();
  await chain.generate(block(1n));
  const begins = deferred();
  const gate = deferred();
  Object.assign(model, { onGenerate: begins.resolve, gate: gate.promise });
  const generated = chain.generate(block(2n));
  await begins.promise;
  const saved = chain.save();
  gate.resolve();
  await generated;
  assert.equal(await saved, undefined);
});

test("a state is still the model's when the next one is given up", async () => {
  const { model, chain } = await begun();
  await chain.generate(block(1n));
  const before = model.chain;
  const { promise, resolve } = deferred();
  Object.assign(model, { onGenerate: resolve, gate: new Promise(() => {}) });
  const abort = new AbortController();
  const generated = chain.generate(block(2n), { signal: abort.signal });
  await promise;
  abort.abort(new Error("enough"));
  await assert.rejects(generated, /enough/);
  assert.equal(chain.isAwake, true);
  const saved = await chain.save();
  assert.equal(saved?.node, chain.current);
  assert.equal(model.chain, before);
});

test("a file that is named while others are removed stays", async () => {
  const { files, chain } = await begun();
  const { promise, resolve } = deferred();
  files.gate = promise;
  const removed = chain.removeOthers([]);
  await chain.generate(block(1n));
  const saved = await chain.save();
  chain.own(saved!.file);
  resolve();
  await removed;
  assert.deepEqual(await files.list(), [saved!.file.name]);
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => resolve = done);
  return { promise, resolve };
}
