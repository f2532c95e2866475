/**
 * Tensors of recognisers in and out of ONNX Runtime.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../compute/onnx/load_onnxruntime.ts";
import { floatToHalf, toFloat32 } from "../../compute/tensor/half.ts";
import { tensor } from "../../compute/tensor/tensor.ts";

/** What an input or output is. */
export type TensorMetadata = InferenceSession.TensorValueMetadata;

/** Inputs of a session by name. */
export function tensorInputs(session: InferenceSession): ReadonlyMap<string, TensorMetadata> {
  return new Map(session.inputMetadata.flatMap((input) => input.isTensor ? [[input.name, input]] : []));
}

/** Floats in the type that an input wants. */
export function floatTensor(
  runtime: OnnxRuntimeModule,
  type: string | undefined,
  data: Float32Array,
  dims: readonly number[],
): Tensor {
  if (type !== "float16") return new runtime.Tensor("float32", data, dims);
  return new runtime.Tensor("float16", Uint16Array.from(data, floatToHalf), dims);
}

/** Integers in the type that an input wants. */
export function integerTensor(
  runtime: OnnxRuntimeModule,
  type: string | undefined,
  data: readonly number[],
  dims: readonly number[],
): Tensor {
  if (type === "int32") return new runtime.Tensor("int32", Int32Array.from(data), dims);
  return new runtime.Tensor("int64", BigInt64Array.from(data, BigInt), dims);
}

/** A float tensor in another float type, or the same one where it has it already. */
export function castFloats(runtime: OnnxRuntimeModule, type: string | undefined, value: Tensor): Tensor {
  return type === undefined || value.type === type ? value : floatTensor(runtime, type, floats(value), value.dims);
}

/** The elements of a float tensor. */
export function floats({ type, data, dims }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type !== "float16") {
    throw new TypeError(`Cannot read an output: its type is ${type}, expected float32 or float16`);
  }
  // Some runtimes give 16-bit floats as such, others their bits.
  const { buffer, byteOffset, length } = data as Uint16Array;
  return toFloat32(tensor("f16", dims, new Uint16Array(buffer, byteOffset, length)));
}
