import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { ArworldEngine } from "../../../lib/models/arworld/arworld_engine.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { type ChainState, releaseState } from "../../../lib/models/arworld/sampling/chain_state.ts";
import { generateBlock } from "../../../lib/models/arworld/sampling/generate_block.ts";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import type { Turn } from "../../../lib/models/world/turns.ts";
import { memoryRoot, tinyArworld } from "../../support/tiny_arworld.ts";

const geometry = { width: 64, height: 32 };
const other = { width: 32, height: 64 };
const views = Float32Array.from({ length: 48 }, (_, i) => i % 16 % 5 === 0 ? 1 : 0);
const picture = ({ width, height }: typeof geometry, value: number) => ({
  ...{ width, height, data: new Uint8Array(3 * width * height).fill(value) },
});
const { base, causal } = tinyArworld();
const roots = { base: memoryRoot("base", base), causal: memoryRoot("causal", causal) };

/** The frames of a walk of six blocks, more than the window holds; `turnOf` makes the turn of a block. */
async function walk(turnOf: (engine: ArworldEngine) => Turn | undefined): Promise<Uint8Array[]> {
  const engine = await ArworldEngine.start(
    await openOnnxDevice({ threads: 1 }),
    await loadArworld(roots.base, roots.causal),
  );
  const turn = turnOf(engine);
  const { encoder } = await engine.programs(geometry);
  let state: ChainState = {
    ...{ geometry, context: [], memory: new Map() },
    firstFrame: await encoder.encode(picture(geometry, 90)),
  };
  const films: Uint8Array[] = [];
  for (let i = 0n; i < 6n; i++) {
    const block = await generateBlock(engine, state, { prompt: "red hall", seed: i, views }, { turn });
    releaseState(state);
    state = block.state;
    films.push(block.frames.data);
  }
  releaseState(state);
  engine.prompts.dispose();
  await engine.dispose();
  assert.equal(engine.device.memory().allocated, 0);
  return films;
}

test("a block is what it is alone where others have the turn between its passes", async () => {
  let had = 0;
  const found = await walk((engine) => ({
    isWanted: true,
    pass: async () => {
      const { encoder } = await engine.programs(other);
      const firstFrame = await encoder.encode(picture(other, 200));
      const chain = { geometry: other, firstFrame, context: [], memory: new Map() };
      const prompt = `another one ${++had}`; // so that the text of the first is forgotten
      releaseState((await generateBlock(engine, chain, { prompt, seed: 9n, views }, {})).state);
    },
  }));
  assert.deepEqual(found, await walk(() => undefined));
  assert.equal(had, 6 * (4 + 2)); // between five passes, and between three latents
});

test("a block that is given up while another world has its turn leaves the chain as it was", async () => {
  const model = new ArworldModel({ id: "tiny", ...roots, openDevice: () => openOnnxDevice({ threads: 1 }) });
  await model.prepare();
  await model.begin(picture(geometry, 90), geometry);
  const stop = new AbortController();
  const reason = new Error("left");
  const request = { prompt: "red hall", seed: 1n, views };
  const onProgress = ({ stage, step }: { stage: string; step: number }) => {
    if (stage === "denoising" && step === 2) stop.abort(reason);
  };
  await assert.rejects(model.generate(request, { signal: stop.signal, onProgress }), reason);
  const after = await model.generate(request);
  await model.begin(picture(geometry, 90), geometry);
  assert.deepEqual(await model.generate(request), after);
  await model.unload();
});
