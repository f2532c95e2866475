/**
 * Lowering of convolutions, and the values that are never made because only convolutions read them.
 *
 * @module
 */
import type { GraphNode, Value } from "../../tensor/graph.ts";
import type { OpOf } from "../../tensor/op.ts";
import { type Shape, sizeOf } from "../../tensor/shape.ts";
import { dispatchParts, divideProduct } from "./divide_product.ts";
import type { Epilogue } from "./fuse_elementwise.ts";
import { activations } from "./lower_matmul.ts";
import type { Lowering } from "./lowering.ts";
import { denseView, packConvWeight, packPhaseWeight, permuteView, type View } from "./view.ts";

/**
 * activate(conv(x) + residual): x [T,C,H,W], which `source` stands for, w [O,C,kt,kh,kw] or [O,C,kh,kw], bias? [O] ->
 * [T',O,H',W'].
 */
export function lowerConv(
  lowering: Lowering,
  op: OpOf<"conv2d"> | OpOf<"conv3d">,
  { input: frames, past: before, scale }: ConvSource,
  inputs: readonly Value[],
  { result, residual, activation }: Epilogue,
): void {
  const input = lowering.dense(lowering.view(frames));
  const past = before ? lowering.dense(lowering.view(before)) : undefined;
  const weight = lowering.view(inputs[1]);
  const bias = op.bias ? lowering.dense(lowering.view(inputs[2])) : lowering.nothing();
  const [, channels, height, width] = frames.shape;
  const [outFrames, outputs, outHeight, outWidth] = result.shape;
  const [depth, kernelHeight, kernelWidth] = [1, ...inputs[1].shape.slice(2)].slice(-3);
  const [strideT, strideY, strideX] = [1, ...op.stride].slice(-3);
  const constant = weight.region.source.kind === "constant" ? weight.region.source.tensor : undefined;
  const phases = constant && !past && scale === 2 && hasPhases(op, constant.shape) ? 4 : 1;
  const pixels = outHeight * outWidth / phases; // of a plane: a frame, or one of its phases
  const planes = outFrames * phases;
  const [rows, columns] = phases === 4 ? [2, 2] : [kernelHeight, kernelWidth];

  const size = { rows: outputs, columns: pixels, inner: channels, taps: depth * rows * columns, batch: planes };
  // Without matrices a tile that is half empty is slower than blocks.
  const division = divideProduct(lowering, size, lowering.limits.tile || outputs > 64 ? "parts" : "blocks");
  const stillScale = phases === 4 ? 1 : scale;
  const wide = division.tiled && width % 4 === 0 && outWidth / Math.sqrt(phases) % 4 === 0 && strideX === 1 &&
    stillScale === 1;
  const operands = [
    input,
    phases === 4 ? lowering.arranged(packPhaseWeight(constant!)) : tapMatrices(lowering, weight),
    bias,
    residual ? lowering.view(residual) : lowering.nothing(),
    ...(past ? [past] : []),
  ];
  const output = lowering.result(result);
  dispatchParts(
    lowering,
    op.kind,
    division,
    output,
    activation ? activations[activation] : 0,
    (output, activate) =>
      lowering.dispatch({
        what: op.kind,
        kernel: division.tiled ? "conv_tiled" : "conv",
        flags: [
          lowering.precision === "f16" && "F16",
          outputs % 4 === 0 && "VEC",
          wide && "WIDE",
          past !== undefined && "PAST",
          phases === 4 && "PHASES",
          ...division.flags,
        ],
        constants: division.constants,
        params: [
          division.owners,
          division.ownerRows,
          division.ownerColumns,
          outputs,
          channels,
          height,
          width,
          depth,
          rows,
          columns,
          strideT,
          strideY,
          strideX,
          op.pad[0],
          op.pad[1],
          outHeight,
          outWidth,
          op.bias ? 1 : 0,
          stillScale,
          past?.shape[0] ?? 0,
          residual ? 1 : 0,
          activate,
          ...division.partParams,
        ],
        inputs: operands,
        output,
        workgroups: division.workgroups,
        time: division.time,
        flops: 2 * planes * outputs * pixels * channels * depth * rows * columns,
      }),
  );
}

/** Whether a convolution of an image enlarged twice comes apart into four of the image itself. */
function hasPhases(op: OpOf<"conv2d"> | OpOf<"conv3d">, weight: Shape): boolean {
  return op.kind === "conv2d" && weight[2] === 3 && weight[3] === 3 && op.stride.every((step) => step === 1) &&
    op.pad.every((side) => side === 1);
}

/** The weight as [taps, C, O]: put in order once when it is a constant, on the device in every run when it is computed. */
function tapMatrices(lowering: Lowering, weight: View): View {
  const { source } = weight.region;
  if (source.kind === "constant") return lowering.arranged(packConvWeight(source.tensor));
  const [outputs, channels, ...taps] = weight.shape;
  const flat = denseView(
    lowering.dense(weight).region,
    [outputs, channels, sizeOf(taps)],
    lowering.dense(weight).offset,
  );
  return lowering.dense(permuteView(flat, [2, 1, 0]));
}

/** The frames that a convolution reads. */
export interface ConvSource {
  readonly input: Value;
  /** Frames before those of the input. */
  readonly past?: Value | undefined;
  /** Whole factor by which the input is enlarged, by nearest neighbours. */
  readonly scale: number;
}

/** Enlarged images and joined frames that nothing but convolutions reads, with what these are to read in their place. */
export function convSources(nodes: readonly GraphNode[], kept: ReadonlySet<Value>): ReadonlyMap<Value, ConvSource> {
  const sources = new Map<Value, ConvSource>();
  for (const { op, inputs, output } of nodes) {
    if (output.shape.length !== 4 || kept.has(output)) continue;
    if (op.kind === "upsample") sources.set(output, { input: inputs[0], scale: op.scale });
    if (op.kind === "concat" && op.axis === 0 && inputs.length === 2) {
      sources.set(output, { past: inputs[0], input: inputs[1], scale: 1 });
    }
  }
  for (const { op, inputs } of nodes) {
    const isConvolution = op.kind === "conv2d" || op.kind === "conv3d";
    for (const other of isConvolution ? inputs.slice(1) : inputs) sources.delete(other);
  }
  return sources;
}
