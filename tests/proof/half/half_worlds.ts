/**
 * Walks through both embedded worlds on a device.
 *
 * @module
 */
import { embeddedFolder } from "../../../lib/app/embedded/embedded_folder.ts";
import { readFile } from "node:fs/promises";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import type { Device } from "../../../lib/compute/tensor/mod.ts";
import { decodeImage, type RgbFrames, type RgbImage } from "../../../lib/media/mod.ts";
import { resizeImage } from "../../../lib/media/images/resize_image.ts";
import { ActionworldEngine } from "../../../lib/models/actionworld/actionworld_engine.ts";
import { generateClip } from "../../../lib/models/actionworld/generate_clip.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { usedTransformerShapes } from "../../../lib/models/actionworld/config.ts";
import { ArworldEngine } from "../../../lib/models/arworld/arworld_engine.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { type ChainState, releaseState } from "../../../lib/models/arworld/sampling/chain_state.ts";
import { generateBlock } from "../../../lib/models/arworld/sampling/generate_block.ts";
import { textEncoderShapes, transformerShapes } from "../../../lib/models/arworld/config.ts";
import { vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import type { Geometry } from "../../../lib/models/world/world_model.ts";
import { MOVES, rowsOf } from "../../eval/clip_walks.ts";
import { blockViews } from "../../eval/eval_scenes.ts";
import { namesOf, type WeightNames } from "./graph_layers.ts";

/** A world that was walked through. */
export interface WalkedWorld {
  /** The frames of the last move. */
  readonly frames: RgbFrames;
  readonly nameOf: WeightNames;
}

/** Walks `blocks` blocks through corridor-nano, at its own size by default; the device is released. */
export async function walkCorridor(device: Device, blocks: number, own?: Geometry): Promise<WalkedWorld> {
  const folder = new URL("../../../models/corridor-nano/", import.meta.url);
  const files = await loadArworld(modelRoot(new URL("base/", folder)), modelRoot(new URL("causal/", folder)));
  const { config, vae, textEncoder, transformer } = files;
  const engine = await ArworldEngine.start(device, files);
  const size = own ?? { width: config.defaultWidth!, height: config.defaultHeight! };
  const { encoder } = await engine.programs(size);
  const picture = await readPicture("examples/corridor.png", size);
  let state: ChainState = {
    ...{ geometry: size, firstFrame: await encoder.encode(picture), context: [], memory: new Map() },
  };
  let frames: RgbFrames | undefined;
  for (const [i, views] of blockViews(new Array(blocks).fill("w")).entries()) {
    const block = await generateBlock(engine, state, { prompt: config.defaultPrompt!, seed: BigInt(i), views }, {});
    releaseState(state);
    ({ state, frames } = block);
  }
  releaseState(state);
  await engine.dispose();
  const names = [
    namesOf(transformer, transformerShapes(config.transformer)),
    namesOf(vae, vaeShapes(config.vae)),
    namesOf(textEncoder, textEncoderShapes(config.textEncoder)),
  ];
  return { frames: frames!, nameOf: firstOf(names) };
}

/** Makes one move through corridor-nano-actions, with as many frames; the device is released. */
export async function walkActions(device: Device): Promise<WalkedWorld> {
  const files = await loadActionworld(modelRoot(await embeddedFolder("corridor-nano-actions")));
  const { config, vae, transformer } = files;
  const engine = new ActionworldEngine(device, files);
  const size = { width: config.defaultWidth!, height: config.defaultHeight! };
  const frames = await generateClip(engine, await readPicture("examples/corridor.png", size), {
    ...{ prompt: config.defaultPrompt!, seed: 1n, frames: 17, actions: rowsOf(MOVES.forward), fps: config.defaultFps! },
    ...{ steps: config.defaultSteps!, guidanceScale: 1, shift: 3 },
  }, {});
  await engine.dispose();
  const names = [
    namesOf(transformer, usedTransformerShapes(config.transformer)),
    namesOf(vae, vaeShapes(config.vae)),
  ];
  return { frames, nameOf: firstOf(names) };
}

/** Peak signal-to-noise ratio of all frames together, in dB, without a bound. */
export function filmPsnr(film: RgbFrames, truth: RgbFrames): number {
  const squares = film.data.reduce((sum, x, i) => sum + (x - truth.data[i]) ** 2, 0);
  return -10 * Math.log10(squares / film.data.length / 255 ** 2);
}

async function readPicture(path: string, { width, height }: Geometry): Promise<RgbImage> {
  const bytes = await readFile(new URL(`../../../${path}`, import.meta.url));
  return resizeImage(await decodeImage(bytes), width, height);
}

function firstOf(names: readonly WeightNames[]): WeightNames {
  return (t) => names.map((nameOf) => nameOf(t)).find((name) => name !== undefined);
}
