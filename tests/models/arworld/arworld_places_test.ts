import assert from "node:assert/strict";
import { test } from "node:test";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { ArworldModel } from "../../../lib/models/arworld/arworld_model.ts";
import { ArworldPlaces } from "../../../lib/models/arworld/arworld_places.ts";
import { chunkRelativeViews, latentViews } from "../../../lib/models/arworld/trajectory.ts";
import { featureCount } from "../../../lib/models/video_vae/latent_distance.ts";
import type { BlockRequest, WorldModel } from "../../../lib/models/world/world_model.ts";
import { stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import { memoryRoot, type RootFiles, tinyArworld, tinyBaseConfig } from "../../support/tiny_arworld.ts";

const size = { width: 64, height: 32 };
const views = chunkRelativeViews(
  latentViews({ steps: [stepOfKeys("w")], weights: [1], latentFrames: 9, speed: 1.5 }),
);
const block = (at: number): BlockRequest => ({
  prompt: "red hall",
  seed: BigInt(at),
  views: views.subarray(48 * at, 48 * at + 48),
});
const grey = (level: number) => ({ ...size, data: new Uint8Array(3 * size.width * size.height).fill(level) });
const [dark, bright] = [grey(10), grey(240)];

/**
 * A world that recognises what is nearer than `limit` to nothing at all; with a place beside it, from whose kind every
 * picture is about 1 away.
 */
function filesOf(seed: number, limit: number, place?: string): { base: RootFiles; causal: RootFiles } {
  const all = (value: number) => Array<number>(featureCount(tinyBaseConfig.vae.z_dim)).fill(value);
  const kind = { basis: [], variance: [], rest: 1 };
  const own = { ...kind, mean: all(0), std: all(1), limit };
  const beside = { ...kind, mean: all(1e6), std: all(1e6), limit: 1, place };
  return tinyArworld(seed, {}, { ...tinyBaseConfig, knows: { latents: place ? [own, beside] : own } } as never);
}

const openDevice = () => openOnnxDevice({ threads: 1 });
const rootsOf = ({ base, causal }: { base: RootFiles; causal: RootFiles }) => ({
  base: memoryRoot("base", base),
  causal: memoryRoot("causal", causal),
});

async function framesFrom(model: WorldModel, image: typeof dark): Promise<Uint8Array[]> {
  await model.begin(image, size);
  return [(await model.generate(block(0))).data, (await model.generate(block(1))).data];
}

/** What a world alone makes of a picture, and how far it is from it. */
async function alone(seed: number, limit: number, image: typeof dark): Promise<[Uint8Array[], number]> {
  const model = new ArworldModel({ id: "alone", ...rootsOf(filesOf(seed, limit)), openDevice });
  await model.prepare();
  const result: [Uint8Array[], number] = [await framesFrom(model, image), (await model.distance(image))!];
  await model.unload();
  return result;
}

// The first world recognises the nearer of the two pictures.
const distances = await Promise.all([dark, bright].map(async (image) => (await alone(1, 1, image))[1]));
const limit = Math.sqrt(distances[0] * distances[1]);
const [known, strange] = distances[0] < distances[1] ? [dark, bright] : [bright, dark];
const [[ofKnown], [ofStrange]] = [await alone(1, limit, known), await alone(2, 1e6, strange)];

/** The two worlds, and the devices that were opened, with how many still are and whether others can be. */
function places(): { model: ArworldPlaces; devices: { all: Device[]; open: number; refused: boolean } } {
  const [first, second] = [filesOf(1, limit, "yard"), filesOf(2, 1e6)];
  for (const part of ["base", "causal"] as const) {
    for (const [name, bytes] of second[part]) first[part].set(`yard/${name}`, bytes);
  }
  const devices = { all: [] as Device[], open: 0, refused: false };
  const open = async () => {
    if (devices.refused) throw new Error("no device for it");
    const device = await openDevice();
    const dispose = device.dispose.bind(device);
    devices.all.push(device);
    devices.open++;
    return Object.assign(device, { dispose: () => (devices.open--, dispose()) });
  };
  return { model: new ArworldPlaces({ id: "two", ...rootsOf(first), openDevice: open }), devices };
}

test("a chain is of the world that recognises its picture, which is loaded when it is needed and released after it", async () => {
  const { model, devices } = places();
  await model.prepare();
  assert.deepEqual(await framesFrom(model, known), ofKnown);
  assert.ok((await model.distance(known))! <= 1);
  assert.equal(devices.all.length, 1);
  assert.ok(Math.abs((await model.distance(strange))! - 1) < 1e-3, "of the kind of the place");
  assert.equal(devices.all.length, 1, "measured without it");
  assert.deepEqual((await model.generate(block(2))).count, 12);
  assert.deepEqual(await framesFrom(model, strange), ofStrange);
  assert.equal(devices.open, 2);
  const other = model.openChain();
  await other.prepare();
  assert.deepEqual(await framesFrom(other, strange), ofStrange);
  assert.deepEqual(await framesFrom(model, known), ofKnown);
  assert.equal(devices.open, 2, "another chain is still there");
  assert.equal(devices.all.length, 2, "chains share the worlds");
  await other.unload();
  assert.equal(devices.open, 1);
  await model.unload();
  assert.equal(devices.open, 0);
});

test("in another world the first one keeps what measures pictures, and everything while a state of it is kept", async () => {
  const { model, devices } = places();
  await model.prepare();
  const [first] = devices.all;
  const held = (): number => first.memory().allocated;
  const whole = held();
  await model.begin(known, size);
  const kept = await model.snapshot();
  await model.begin(strange, size);
  assert.ok(held() >= whole, "of the kept state");
  await model.restore(kept);
  await model.release(kept);
  const other = model.openChain();
  await other.prepare();
  await other.begin(known, size);
  await model.begin(strange, size);
  assert.ok(held() >= whole, "of the other chain");
  await other.unload();
  await model.begin(strange, size);
  const rest = held();
  assert.ok(rest > 0 && rest < whole / 2, `${rest} of ${whole} bytes are left`);
  assert.ok(Math.abs((await model.distance(strange))! - 1) < 1e-3);
  assert.equal(held(), rest, "measured with what is there");
  assert.deepEqual(await framesFrom(model, known), ofKnown);
  await model.unload();
});

test("a walk continues where it was when the place of another picture cannot be loaded", async () => {
  const { model, devices } = places();
  await model.prepare();
  await model.begin(known, size);
  assert.deepEqual((await model.generate(block(0))).data, ofKnown[0]);
  devices.refused = true;
  await assert.rejects(model.begin(strange, size), /no device for it/);
  assert.deepEqual((await model.generate(block(1))).data, ofKnown[1]);
  devices.refused = false;
  assert.deepEqual(await framesFrom(model, strange), ofStrange);
  await model.unload();
});

test("pictures are measured while a chain begins with another, in any order", async () => {
  const { model } = places();
  await model.prepare();
  const [, far] = await Promise.all([model.begin(strange, size), model.distance(strange), model.distance(known)]);
  assert.ok(Math.abs(far! - 1) < 1e-3);
  const frames = [(await model.generate(block(0))).data, (await model.generate(block(1))).data];
  assert.deepEqual(frames, ofStrange);
  await Promise.all([model.distance(strange), model.begin(known, size), model.distance(strange)]);
  assert.deepEqual((await model.generate(block(0))).data, ofKnown[0]);
  await model.unload();
});

test("kept states return to the world that they are of", async () => {
  const { model, devices } = places();
  await model.prepare();
  await model.begin(known, size);
  const atKnown = await model.snapshot();
  await model.begin(strange, size);
  const atStrange = await model.snapshot();
  const walk = async () => [(await model.generate(block(0))).data, (await model.generate(block(1))).data];
  assert.deepEqual(await walk(), ofStrange);
  await model.restore(atKnown);
  assert.deepEqual(await walk(), ofKnown);
  await model.restore(atStrange);
  assert.deepEqual(await walk(), ofStrange);
  await model.restore(atKnown);
  assert.equal(devices.open, 2);
  await model.release(atStrange);
  assert.equal(devices.open, 1, "no state of it is left");
  await assert.rejects(model.restore(atStrange), /Cannot restore state 2: it was not kept or is released/);
  await assert.rejects(model.release(7), /Cannot release state 7/);
  assert.deepEqual(await walk(), ofKnown);
  await model.unload();
});

test("exported states continue in the world that they are of", async () => {
  const { model } = places();
  await model.prepare();
  const states: Uint8Array[] = [];
  for (const image of [known, strange]) {
    await model.begin(image, size);
    await model.generate(block(0));
    states.push(await model.exportState());
  }
  await model.drop();
  await model.unload();
  const { model: next, devices } = places();
  await next.prepare();
  for (const [i, frames] of [ofKnown, ofStrange].entries()) {
    await next.importState(states[i]);
    assert.deepEqual((await next.generate(block(1))).data, frames[1]);
  }
  assert.equal(devices.open, 2);
  const text = new TextDecoder("latin1").decode(states[1]).replace('"yard"', '"yurt"');
  const elsewhere = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  await assert.rejects(next.importState(elsewhere), { code: "state_invalid", message: /another place/ });
  await next.unload();
});
