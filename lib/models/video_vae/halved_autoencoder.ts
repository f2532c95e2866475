/**
 * A video autoencoder for frames of half the size, from the weights of one for the whole.
 *
 * @module
 */
import { toFloat32 } from "../../compute/tensor/half.ts";
import { parseSafetensorsHeader, safetensorsHeaderLength } from "../../compute/tensor/safetensors_header.ts";
import { encodeSafetensors } from "../../compute/tensor/safetensors_writer.ts";
import { sizeOf } from "../../compute/tensor/shape.ts";
import { f32, type Tensor, viewElements } from "../../compute/tensor/tensor.ts";
import { widenIntegers } from "../checkpoint/stored_weight.ts";
import { diffusersVaeName } from "./vae_config.ts";

/** Colours times rows times columns of the pixels that the outermost convolutions see as one. */
const PATCH = [3, 4, 4] as const;

/**
 * The autoencoder for frames of half the width and height, in a safetensors file with the names of Diffusers: its
 * encoder gives the latents that the other one gives such frames when they are doubled, its decoder the mean of 2x2
 * pixels of the other's frames.
 *
 * @param name Of the file, for error sentences.
 * @param file Weights of an autoencoder of 4x4 patches with the names of Wan, as 8-bit integers with a scale a row and as
 * 16-bit floats.
 * @throws {SafetensorsError} when the file is malformed.
 */
export function halvedAutoencoder(name: string, file: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = safetensorsHeaderLength(name, file, file.length);
  const { tensors } = parseSafetensorsHeader(name, file.subarray(8, 8 + length), file.length);
  const stored = new Map(Array.from(tensors.values(), ({ name, dtype, shape, offset }) => {
    const type = dtype === "I8" ? "i8" : "f16";
    const data = viewElements(type, file.buffer, file.byteOffset + offset, sizeOf(shape));
    return [name, { dtype: type, shape, data }] as const;
  }));
  const made = new Map<string, Tensor>();
  for (const [name, tensor] of stored) {
    const scale = stored.get(`${name}_scale`);
    const patches = outermost(name);
    if (patches) {
      const floats = scale ? widenIntegers(tensor, scale) : f32(tensor.shape, toFloat32(tensor));
      made.set(diffusersVaeName(name), overPatches(floats, ...patches));
    } else if (!name.endsWith("_scale")) {
      made.set(diffusersVaeName(name), tensor);
      if (scale) made.set(`${diffusersVaeName(name)}_scale`, scale);
    }
  }
  return encodeSafetensors(made);
}

/** The axis of an outermost convolution that counts pixels of patches, and by what to divide sums over it. */
function outermost(name: string): [axis: number, divisor: number] | undefined {
  if (name === "encoder.conv1.weight") return [1, 1]; // it reads each of four equal pixels
  return ["decoder.head.2.weight", "decoder.head.2.bias"].includes(name) ? [0, 4] : undefined;
}

/** The sums over every 2x2 pixels of the patches in an axis, divided by `divisor`. */
function overPatches({ shape, data }: Tensor<"f32">, axis: number, divisor: number): Tensor<"f32"> {
  const [colours, rows, columns] = PATCH;
  const inner = sizeOf(shape.slice(axis + 1));
  const patches = sizeOf(shape.slice(0, axis)) * colours;
  const out = new Float32Array(data.length / 4);
  let at = 0;
  for (let patch = 0; patch < patches; patch++) {
    for (let row = 0; row < rows; row += 2) {
      for (let column = 0; column < columns; column += 2) {
        const first = (patch * rows + row) * columns + column;
        const four = [first, first + 1, first + columns, first + columns + 1];
        for (let i = 0; i < inner; i++) {
          out[at++] = four.reduce((total, pixel) => total + data[pixel * inner + i], 0) / divisor;
        }
      }
    }
  }
  return f32(shape.map((size, i) => i === axis ? size / 4 : size), out);
}
