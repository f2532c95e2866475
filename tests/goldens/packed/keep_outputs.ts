/**
 * What of a golden's outputs goes into the repository: numbers to a 32nd of what they may differ by, and of large
 * outputs a sample with means of lines.
 *
 * @module
 */
import { encodeSafetensors, sizeOf, type Tensor, toFloat32 } from "../../../lib/compute/tensor/mod.ts";
import { readTensors } from "./pack_golden.ts";
import { sampleOutput } from "./sampled_output.ts";

/** Outputs with more numbers are sampled. */
const LARGE = 32_768;
/** Part of the tolerance that numbers are kept to. */
const PART = 32;

/**
 * A safetensors file with less in it.
 *
 * @param tolerances By how much each output may differ; others stay as they are.
 */
export async function keepOutputs(file: Uint8Array, tolerances: ReadonlyMap<string, number>): Promise<Uint8Array> {
  const { metadata, tensors } = await readTensors(file);
  const kept = new Map<string, Tensor>();
  const sampled: Record<string, readonly number[]> = {};
  const add = (name: string, data: Float32Array, tolerance: number) =>
    kept.set(name, { dtype: "f32", shape: [data.length], data: roundTo(data, tolerance) });
  for (const [name, t] of tensors) {
    const output = name.replace(/^out\./, "");
    const tolerance = name === output ? 0 : tolerances.get(output) ?? 0;
    if (tolerance === 0 || (t.dtype !== "f32" && t.dtype !== "f16")) kept.set(name, t);
    else if (sizeOf(t.shape) > LARGE && t.shape.length > 1) {
      const { values, rows, columns } = sampleOutput(toFloat32(t), t.shape);
      sampled[output] = t.shape;
      add(`sample.${output}`, values, tolerance);
      add(`rows.${output}`, rows, tolerance);
      add(`columns.${output}`, columns, tolerance);
    } else if (t.dtype === "f32") {
      kept.set(name, { ...t, data: roundTo(t.data as Float32Array, tolerance) } as Tensor);
    } else kept.set(name, t);
  }
  const added = Object.keys(sampled).length > 0 ? [["sampled", JSON.stringify(sampled)] as const] : [];
  return encodeSafetensors(kept, new Map([...metadata, ...added]));
}

/** Numbers as multiples of a power of two, where 32-bit floats have them. */
function roundTo(data: Float32Array, tolerance: number): Float32Array {
  const step = 2 ** Math.floor(Math.log2(tolerance / PART));
  return data.map((value) => {
    const steps = Math.round(value / step);
    return Math.abs(steps) <= 2 ** 24 ? steps * step + 0 : value;
  });
}
