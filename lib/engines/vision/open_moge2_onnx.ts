/**
 * MoGe-2 as it is published for ONNX Runtime.
 *
 * @module
 */
import type { InferenceSession } from "onnxruntime-node";
import { loadOnnxRuntime, type OnnxRuntimeModule } from "../../compute/onnx/load_onnxruntime.ts";
import type { ByteSource } from "../../compute/tensor/mod.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { invalidModelFiles } from "../../models/checkpoint/model_errors.ts";
import { unitPlanes } from "../../models/images/planes.ts";
import { type Geometry, type GeometryOptions, type Moge2Output, recoverGeometry } from "../../models/moge2/geometry.ts";
import { checkedGrid, type FindGeometry } from "../../models/moge2/open_moge2.ts";
import { type OperationOptions, OperationSteps } from "../../models/vision/operation.ts";

/** The file of the published export. */
const MOGE2_ONNX_FILE = "model.onnx";

/** Bytes beyond which a file is not a MoGe-2: the largest published one has about 1.3 GB. */
const MAX_BYTES: number = 2 ** 31;

const INPUTS = ["image", "num_tokens"];
const OUTPUTS = ["points", "normal", "mask", "metric_scale"];

/**
 * Opens the export. It normalises colours, resizes and recovers nothing by itself: camera and shift are found as for the
 * other form.
 *
 * @throws {SvcError} `model_invalid` when the file is not an export of MoGe-2 with normals.
 */
export async function openMoge2Onnx(name: string, source: ByteSource, threads?: number): Promise<FindGeometry> {
  const refuse = (what: string) => invalidModelFiles([`${name} ${what}`], "MoGe-2 model");
  if (source.size > MAX_BYTES) throw refuse(`has ${source.size} bytes, expected at most ${MAX_BYTES}`);
  const runtime = await loadOnnxRuntime();
  const bytes = await source.read(0, source.size);
  const options = { executionProviders: ["cpu"], ...(threads !== undefined && { intraOpNumThreads: threads }) };
  const session = await runtime.InferenceSession.create(bytes, options).catch((error: Error) => {
    throw refuse(`is not an ONNX model that can be run (${error.message.split("\n")[0]})`);
  });
  const missing = [
    ...INPUTS.filter((input) => !session.inputNames.includes(input)),
    ...OUTPUTS.filter((output) => !session.outputNames.includes(output)),
  ];
  if (missing.length > 0) throw refuse(`has no ${missing.join(", ")}, expected an export of MoGe-2 with normals`);
  return (image, geometryOptions) => findGeometry(runtime, session, image, geometryOptions);
}

async function findGeometry(
  { Tensor }: OnnxRuntimeModule,
  session: InferenceSession,
  image: RgbImage,
  options: OperationOptions & GeometryOptions & { readonly tokens: number },
): Promise<Geometry> {
  const { width, height } = image;
  checkedGrid(options.tokens, image);
  const steps = new OperationSteps(1, options);
  options.onStage?.("inference");
  const maps = await steps.step(1, () =>
    session.run({
      image: new Tensor("float32", unitPlanes(image), [1, 3, height, width]),
      num_tokens: new Tensor("int64", BigInt64Array.of(BigInt(options.tokens)), []),
    }));
  const floats = (output: string, count: number): Float32Array => {
    const { data } = maps[output];
    if (data instanceof Float32Array && data.length === count) return data;
    throw invalidModelFiles([`${MOGE2_ONNX_FILE} gave ${data.length} numbers as ${output}, expected ${count} floats`]);
  };
  const output: Moge2Output = {
    width,
    height,
    points: floats("points", 3 * width * height),
    normal: floats("normal", 3 * width * height),
    mask: floats("mask", width * height),
    metricScale: floats("metric_scale", 1)[0],
  };
  options.onStage?.("postprocessing");
  return recoverGeometry(output, options);
}
