/**
 * Random weights of a transformer, by the names of Hugging Face checkpoints.
 *
 * @module
 */

/** Sizes of a decoder in the manner of Qwen2. */
export interface TransformerShape {
  readonly vocabulary: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  /** Divides `heads`. */
  readonly kvHeads: number;
  readonly headSize: number;
  readonly ffn: number;
  /** Longest sequence. */
  readonly context: number;
  readonly ropeTheta: number;
  readonly epsilon: number;
}

/** Weights that are made when they are asked for, always the same ones. */
export interface TransformerWeights {
  readonly shape: TransformerShape;
  /** Matrices have a row for each output, as in checkpoints. */
  readonly tensor: (name: string) => Float32Array;
}

/** Fast to build and run, and yet with everything that a large one has. */
export const TINY_SHAPE: Omit<TransformerShape, "vocabulary"> = {
  hidden: 128,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headSize: 32,
  ffn: 256,
  context: 4096,
  ropeTheta: 10_000,
  epsilon: 1e-6,
};

/** Rows and columns of each matrix of a layer, by its name within the layer. */
export function layerMatrices(shape: TransformerShape): Readonly<Record<string, readonly [number, number]>> {
  const { hidden, heads, kvHeads, headSize, ffn } = shape;
  return {
    "self_attn.q_proj": [heads * headSize, hidden],
    "self_attn.k_proj": [kvHeads * headSize, hidden],
    "self_attn.v_proj": [kvHeads * headSize, hidden],
    "self_attn.o_proj": [hidden, heads * headSize],
    "mlp.gate_proj": [ffn, hidden],
    "mlp.up_proj": [ffn, hidden],
    "mlp.down_proj": [hidden, ffn],
  };
}

/**
 * Random weights that keep the size of what goes through them.
 *
 * @param mixing What each layer adds, as a part of that.
 */
export function randomWeights(shape: TransformerShape, seed: number, mixing: number): TransformerWeights {
  const { vocabulary, hidden } = shape;
  const matrices = layerMatrices(shape);
  const tensor = (name: string): Float32Array => {
    const random = tensorRandom(seed, name);
    if (name === "model.embed_tokens.weight") return uniform(vocabulary * hidden, Math.sqrt(3), random);
    if (name === "lm_head.weight") return uniform(vocabulary * hidden, Math.sqrt(12 / hidden), random);
    if (name.endsWith("norm.weight")) return new Float32Array(hidden).fill(1);
    const [, matrix, part] = /^model\.layers\.\d+\.(.+)\.(weight|bias)$/.exec(name) ?? [];
    const size = matrices[matrix];
    if (size === undefined) throw new RangeError(`Cannot make the weight ${name}: it is none of a Qwen2 model`);
    const [rows, columns] = size;
    if (part === "bias") return uniform(rows, 0.2, random);
    const adds = matrix === "self_attn.o_proj" || matrix === "mlp.down_proj";
    return uniform(rows * columns, (adds ? mixing : 1) * Math.sqrt(3 / columns), random);
  };
  return { shape, tensor };
}

/** Numbers from -1 to 1 (mulberry32), others for each name. */
export function tensorRandom(seed: number, name: string): () => number {
  let state = seed >>> 0;
  for (let i = 0; i < name.length; i++) state = Math.imul(state ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

/** Numbers from -limit to limit. */
export function uniform(size: number, limit: number, random: () => number): Float32Array {
  const values = new Float32Array(size);
  for (let i = 0; i < size; i++) values[i] = limit * random();
  return values;
}
