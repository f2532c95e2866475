/**
 * The network of MoGe-2: points, normals, mask and scale of one image.
 *
 * @module
 */
import {
  add,
  broadcastTo,
  concat,
  conv2d,
  div,
  exp,
  f32,
  type Graph,
  max,
  mul,
  reduceSum,
  relu,
  reshape,
  sigmoid,
  slice,
  sqrt,
  square,
  type Tensor,
  transpose,
  type Value,
} from "../../compute/tensor/mod.ts";
import { dense } from "../layers/dense.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { planeCoordinates } from "../images/planes.ts";
import type { ImageSize } from "../images/resample.ts";
import { convolution, replicatePad, transposedConvolution } from "../layers/convolution.ts";
import { doubleLinear, resizeLinear } from "../layers/resize_linear.ts";
import { visionFeatures } from "../vision_transformer/dinov2.ts";
import type { PatchGrid } from "../vision_transformer/dinov2_config.ts";
import type { ConvStackConfig, Moge2Config } from "./config.ts";

/** Output of the encoder. */
interface Moge2Encoding {
  /** [1,C,rows,columns] */
  readonly features: Value;
  /** [1,D] */
  readonly classToken: Value;
}

/** Output of the network, in its own units. */
interface Moge2Maps {
  /** [H,W,3]: x right, y down, z forward, up to a shift along z and a scale. */
  readonly points: Value;
  /** [H,W,3], of unit length. */
  readonly normal: Value;
  /** [H,W]: how likely a pixel has a finite depth. */
  readonly mask: Value;
  /** [1,1]: metres a unit. */
  readonly metricScale: Value;
}

/** Normalised images [1,3,14*rows,14*columns] to features. */
export function encodeImage(
  images: Value,
  config: Moge2Config,
  weights: Weights,
  positions: Tensor,
  { rows, columns }: PatchGrid,
): Moge2Encoding {
  const encoder = weights.at("encoder");
  const taken = visionFeatures(images, config.encoder, encoder.at("backbone"), positions, config.take);
  const maps = taken.map(({ patches }, i) => {
    const map = reshape(transpose(patches, [0, 2, 1]), [1, config.encoder.dim, rows, columns]);
    return convolution(map, encoder.at(`output_projections.${i}`));
  });
  return { features: maps.reduce((sum, map) => add(sum, map)), classToken: taken[taken.length - 1].classToken };
}

/** The neck's output of every level; the plane of the image goes in at each, beside the features at the coarsest. */
export function neckOutputs(features: Value, config: Moge2Config, weights: Weights, image: ImageSize): Value[] {
  const [, , rows, columns] = features.shape;
  const inputs = config.dims.map((_, level) => {
    const plane = planeMap(features.graph, { width: columns << level, height: rows << level }, image);
    return level === 0 ? concat([features, plane], 1) : plane;
  });
  return convStack(inputs, weights.at("neck"), config.neck);
}

/** The heads and the meaning of their numbers, at the size of the image. */
export function moge2Maps(
  { features, classToken }: Moge2Encoding,
  config: Moge2Config,
  weights: Weights,
  image: ImageSize,
): Moge2Maps {
  const { width, height } = image;
  const neck = neckOutputs(features, config, weights, image);
  const head = (name: string) => {
    const finest = convStack(neck, weights.at(name), config.heads)[config.dims.length - 1];
    return transpose(reshape(resizeLinear(finest, height, width, "edges"), [-1, height, width]), [1, 2, 0]);
  };
  const raw = head("points_head");
  const depth = exp(slice(raw, { axis: 2, start: 2 }));
  const normal = head("normal_head");
  const length = max(sqrt(reduceSum(square(normal), [2])), 1e-12);
  const scale = weights.at("scale_head");
  const hidden = dense(dense(classToken, scale.at("0"), "relu"), scale.at("2"), "relu");
  return {
    points: concat([mul(slice(raw, { axis: 2, end: 2 }), depth), depth], 2),
    normal: div(normal, length),
    mask: sigmoid(reshape(head("mask_head"), [height, width])),
    metricScale: exp(dense(hidden, scale.at("4"))),
  };
}

/** Plane coordinates of the image on a grid of this size: [1,2,H,W], x first. */
export function planeMap(graph: Graph, size: ImageSize, image: ImageSize): Value {
  const { width, height } = size;
  const { x, y } = planeCoordinates(size, image.width / image.height);
  const columns = graph.constant(f32([1, 1, 1, width], Float32Array.from(x)));
  const rows = graph.constant(f32([1, 1, height, 1], Float32Array.from(y)));
  const whole = [1, 1, height, width];
  return concat([broadcastTo(columns, whole), broadcastTo(rows, whole)], 1);
}

/**
 * From coarse to fine: a level's input is added to what comes from the level before, goes through residual blocks and is
 * enlarged twice for the next one, by a transposed convolution or, before the finest level, linearly.
 *
 * Shapes: inputs of level i [N,C,H*2^i,W*2^i] -> one output a level.
 */
function convStack(inputs: readonly Value[], weights: Weights, config: ConvStackConfig): Value[] {
  const outputs: Value[] = [];
  let x: Value | undefined;
  inputs.forEach((input, level) => {
    const entry = convolution(input, weights.at(`input_blocks.${level}`));
    x = x ? add(x, entry) : entry;
    for (let i = 0; i < config.blocks[level]; i++) {
      x = residualConvBlock(x, weights.at(`res_blocks.${level}.${i}.layers`));
    }
    const exit = weights.at(`output_blocks.${level}`);
    outputs.push(exit.has("weight") ? convolution(x, exit) : x);
    if (level < inputs.length - 1) x = enlarge(x, weights.at(`resamplers.${level}`));
  });
  return outputs;
}

/** x + conv(relu(conv(relu(x)))), edges repeated; x [N,C,H,W] -> same. */
function residualConvBlock(x: Value, weights: Weights): Value {
  const hidden = edgeConvolution(relu(x), weights.at("2"));
  return add(x, edgeConvolution(relu(hidden), weights.at("5")));
}

/** Twice the size and a 3x3 convolution; x [N,C,H,W] -> [N,O,2H,2W]. */
function enlarge(x: Value, weights: Weights): Value {
  const large = weights.has("0.weight") ? transposedConvolution(x, weights.at("0")) : doubleLinear(x);
  return edgeConvolution(large, weights.at("1"));
}

function edgeConvolution(x: Value, weights: Weights): Value {
  return conv2d(replicatePad(x), weights.in(x.graph, "weight"), weights.in(x.graph, "bias"));
}
