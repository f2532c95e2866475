/**
 * Lowering of convolutions.
 *
 * @module
 */
import type { Value } from "../tensor/graph.ts";
import type { OpOf } from "../tensor/op.ts";
import { sizeOf } from "../tensor/shape.ts";
import { busyWorkgroups } from "./lower_matmul.ts";
import type { Lowering } from "./lowering.ts";
import { packConvWeight } from "./pack_conv_weight.ts";
import { denseView, permuteView, type View } from "./view.ts";

/** x [T,C,H,W], w [O,C,kt,kh,kw] or [O,C,kh,kw], bias? [O] -> [T',O,H',W'] */
export function lowerConv(
  lowering: Lowering,
  op: OpOf<"conv2d"> | OpOf<"conv3d">,
  inputs: readonly Value[],
  value: Value,
): void {
  const input = lowering.dense(lowering.view(inputs[0]));
  const weight = lowering.view(inputs[1]);
  const bias = op.bias ? lowering.dense(lowering.view(inputs[2])) : lowering.nothing();
  const [, channels, height, width] = inputs[0].shape;
  const [frames, outputs, outHeight, outWidth] = value.shape;
  const [depth, kernelHeight, kernelWidth] = [1, ...inputs[1].shape.slice(2)].slice(-3);
  const [strideT, strideY, strideX] = [1, ...op.stride].slice(-3);
  const pixels = outHeight * outWidth;

  const tiles = (size: number) => Math.ceil(outputs / size) * Math.ceil(pixels / size) * frames;
  const wide = outputs > 64 && tiles(128) >= busyWorkgroups;
  const threadRows = wide || outputs > 32 ? 16 : outputs > 16 ? 8 : 4;
  const size = wide ? 128 : 64;
  const rowTiles = Math.ceil(outputs / (wide ? 128 : threadRows * 4));
  const columnTiles = Math.ceil(pixels / size);
  const workgroups = rowTiles * columnTiles * frames;
  lowering.dispatch({
    what: op.kind,
    kernel: "conv",
    flags: [lowering.precision === "f16" && "F16", outputs % 4 === 0 && "VEC", wide && "WIDE"],
    constants: { THREAD_ROWS: threadRows, THREAD_COLUMNS: 16 },
    params: [
      workgroups,
      rowTiles,
      columnTiles,
      outputs,
      channels,
      height,
      width,
      depth,
      kernelHeight,
      kernelWidth,
      strideT,
      strideY,
      strideX,
      op.pad[0],
      op.pad[1],
      outHeight,
      outWidth,
      op.bias ? 1 : 0,
    ],
    inputs: [input, tapMatrices(lowering, weight), bias],
    output: lowering.result(value),
    workgroups,
  });
}

/** The weight as [taps, C, O]: repacked once when it is a constant, on the device in every run when it is computed. */
function tapMatrices(lowering: Lowering, weight: View): View {
  const { source } = weight.region;
  if (source.kind === "constant") return lowering.constant(packConvWeight(source.tensor));
  const [outputs, channels, ...taps] = weight.shape;
  const flat = denseView(
    lowering.dense(weight).region,
    [outputs, channels, sizeOf(taps)],
    lowering.dense(weight).offset,
  );
  return lowering.dense(permuteView(flat, [2, 1, 0]));
}
