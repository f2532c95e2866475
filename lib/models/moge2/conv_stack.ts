/**
 * The convolutions of MoGe-2's neck and heads.
 *
 * @module
 */
import { add, conv2d, relu, type Value } from "../../compute/tensor/mod.ts";
import type { Weights } from "../checkpoint/weights.ts";
import { convolution, replicatePad, transposedConvolution } from "../layers/convolution.ts";
import { doubleLinear } from "../layers/resize_linear.ts";
import type { ConvStackConfig } from "./config.ts";

/**
 * From coarse to fine: a level's input is added to what comes from the level before, goes through residual blocks and is
 * enlarged twice for the next one, by a transposed convolution or, before the finest level, linearly.
 *
 * Shapes: inputs of level i [N,C,H*2^i,W*2^i] -> one output a level.
 */
export function convStack(inputs: readonly Value[], weights: Weights, config: ConvStackConfig): Value[] {
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
