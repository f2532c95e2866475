/**
 * One dispatch of a program.
 *
 * @module
 */
import type { Region } from "./view.ts";

/** A region that a dispatch reads or writes. */
export interface Binding {
  readonly region: Region;
  /** Bytes; a multiple of the device's alignment. */
  readonly offset: number;
  readonly bytes: number;
}

/** A kernel with everything it needs except memory. */
export interface Step {
  /** Operator, for error messages. */
  readonly what: string;
  /** File of `kernels-wgsl/`. */
  readonly kernel: string;
  readonly code: string;
  /** Pipeline-overridable constants. */
  readonly constants: Readonly<Record<string, number>>;
  /** The uniform struct. */
  readonly params: Uint32Array<ArrayBuffer>;
  /** Inputs in the order of the kernel's bindings from 1 on, then the output. */
  readonly bindings: readonly Binding[];
  readonly workgroups: number;
  /** Floating-point operations of products; a multiply-add counts as two. */
  readonly flops: number;
  /** Estimated time, in multiply-adds of a processor; see `step_time.ts`. */
  readonly time: number;
}

/** A field of a uniform struct: an unsigned integer, a float, or vec4s of unsigned integers. */
export type ParamField = number | { readonly f32: number } | readonly number[];

/** Lays fields out as WGSL does: scalars one after the other, vectors at multiples of 16 bytes. */
export function packParams(fields: readonly ParamField[]): Uint32Array<ArrayBuffer> {
  const words: number[] = [];
  const float = new Float32Array(1);
  const align = () => {
    while (words.length % 4 !== 0) words.push(0);
  };
  for (const field of fields) {
    if (typeof field === "number") words.push(field);
    else if ("f32" in field) {
      float[0] = field.f32;
      words.push(new Uint32Array(float.buffer)[0]);
    } else {
      align();
      words.push(...field);
      align();
    }
  }
  align();
  return Uint32Array.from(words);
}

/** A list padded with zeros to the length of the uniform arrays of kernels that take axes. */
export function eightAxes(values: readonly number[]): number[] {
  if (values.length > 8) throw new RangeError(`Cannot move data over ${values.length} axes: kernels take at most 8`);
  return [...values, ...new Array<number>(8 - values.length).fill(0)];
}

/** A dispatch size within the device's limit per axis; kernels ignore excess workgroups. */
export function foldWorkgroups(workgroups: number, limit: number): [number, number] {
  const rows = Math.ceil(workgroups / limit);
  return [Math.ceil(workgroups / rows), rows];
}
