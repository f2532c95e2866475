/**
 * Weights and state of DreamX-World-5B's shape: random numbers, so that neither is downloaded.
 *
 * @module
 */
import {
  type Device,
  type DeviceTensor,
  f32,
  type Program,
  type Shape,
  sizeOf,
  type Tensor,
} from "../../../lib/compute/tensor/mod.ts";
import { type TransformerConfig, transformerShapes } from "../../../lib/models/arworld/config.ts";
import { type TensorShapes, Weights } from "../../../lib/models/checkpoint/weights.ts";
import { dreamx } from "../../support/published_worlds.ts";
import { halves } from "./numbers.ts";
import { SMALL } from "./part.ts";

/** Latents of 512x320. */
export const LATENT: { readonly width: number; readonly height: number } = SMALL
  ? { width: 4, height: 2 }
  : { width: 32, height: 20 };

/** The transformer with fewer layers, if wanted; a narrow one in a rehearsal. */
export function dreamxTransformer(layers: number): TransformerConfig {
  const { transformer } = dreamx();
  if (!SMALL) return { ...transformer, numLayers: layers };
  const small = { dim: 192, ffnDim: 384, numHeads: 6, numLayers: Math.min(layers, 2), textDim: 64, textLen: 16 };
  return { ...transformer, ...small };
}

/** Elements in ordinary memory are shared by tensors of one shape; on the device each tensor has its own. */
const shared = new Map<string, Tensor>();

function halfTensor(shape: Shape, scale: number): Tensor {
  const key = `${shape} ${scale}`;
  const known = shared.get(key) ?? halves(shape, scale, shape.length);
  shared.set(key, known);
  return { ...known };
}

/** Weights whose products keep the size of their inputs. */
export function randomWeights(shapes: TensorShapes): Weights {
  const weight = (name: string, shape: Shape): Tensor => {
    if (/norm.*weight|gamma/.test(name)) return f32(shape, new Float32Array(sizeOf(shape)).fill(1));
    const isMatrix = shape.length > 1 && !name.includes("modulation");
    return halfTensor(shape, isMatrix ? 1.7 / Math.sqrt(sizeOf(shape.slice(1))) : 0.02);
  };
  return new Weights(new Map(Array.from(shapes, ([name, shape]) => [name, weight(name, shape)])));
}

/** Weights of the transformer. */
export function transformerWeights(config: TransformerConfig): Weights {
  return randomWeights(transformerShapes(config));
}

/** What a pass is fed: random latents and window, cameras that do not move. */
export function passFeeds(device: Device, program: Program): Record<string, DeviceTensor> {
  const feed = (name: string, shape: Shape): Tensor => {
    const size = sizeOf(shape);
    if (/^p($|[TI])/.test(name)) {
      return f32(shape, Float32Array.from({ length: size }, (_, i) => i % 16 % 5 === 0 ? 1 : 0)); // identity matrices
    }
    // At a noise level of 1 the next latents would be the noise alone.
    if (name === "nextSigma") return f32(shape, new Float32Array(size).fill(0.5));
    if (/sigma|Keep/i.test(name)) return f32(shape, new Float32Array(size).fill(1));
    if (/anchor|windowBias/.test(name)) return f32(shape, new Float32Array(size));
    return halfTensor(shape, name.startsWith("modulation") ? 0.1 : 1);
  };
  return Object.fromEntries(
    Array.from(program.inputs, ([name, { shape }]) => [name, device.upload(feed(name, shape))]),
  );
}
