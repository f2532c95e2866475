/**
 * A video autoencoder for frames of half the size, from the weights of one for the whole.
 *
 * @module
 */
import { floatToHalf, halfToFloat } from "../../compute/tensor/half.ts";
import { parseSafetensorsHeader, safetensorsHeaderLength } from "../../compute/tensor/safetensors_header.ts";
import { encodeSafetensors } from "../../compute/tensor/safetensors_writer.ts";
import { sizeOf } from "../../compute/tensor/shape.ts";
import { type Tensor, tensor } from "../../compute/tensor/tensor.ts";
import { diffusersVaeName } from "./vae_config.ts";

/** Colours times rows times columns of the pixels that the outermost convolutions see as one. */
const PATCH = [3, 4, 4] as const;

/**
 * The autoencoder for frames of half the width and height, in a safetensors file with the names of Diffusers: its
 * encoder gives the latents that the other one gives such frames when they are doubled, its decoder the mean of 2x2
 * pixels of the other's frames.
 *
 * @param name Of the file, for error sentences.
 * @param file Weights of 16-bit floats of an autoencoder of 4x4 patches, with the names of Wan.
 * @throws {SafetensorsError} when the file is malformed.
 */
export function halvedAutoencoder(name: string, file: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = safetensorsHeaderLength(name, file, file.length);
  const { tensors } = parseSafetensorsHeader(name, file.subarray(8, 8 + length), file.length);
  const made = new Map<string, Tensor>();
  for (const { name, shape, offset, byteLength } of tensors.values()) {
    const bits = new Uint16Array(byteLength / 2);
    new Uint8Array(bits.buffer).set(file.subarray(offset, offset + byteLength));
    made.set(diffusersVaeName(name), halved(name, tensor("f16", shape, bits)));
  }
  return encodeSafetensors(made);
}

function halved(name: string, weight: Tensor<"f16">): Tensor<"f16"> {
  if (name === "encoder.conv1.weight") return overPatches(weight, 1, 1); // it reads each of four equal pixels
  return name.startsWith("decoder.head.2.") ? overPatches(weight, 0, 4) : weight;
}

/** The sums over every 2x2 pixels of the patches in an axis, divided by `divisor`. */
function overPatches({ shape, data }: Tensor<"f16">, axis: number, divisor: number): Tensor<"f16"> {
  const [colours, rows, columns] = PATCH;
  const inner = sizeOf(shape.slice(axis + 1));
  const patches = sizeOf(shape.slice(0, axis)) * colours;
  const out = new Uint16Array(data.length / 4);
  let at = 0;
  for (let patch = 0; patch < patches; patch++) {
    for (let row = 0; row < rows; row += 2) {
      for (let column = 0; column < columns; column += 2) {
        const first = (patch * rows + row) * columns + column;
        const four = [first, first + 1, first + columns, first + columns + 1];
        for (let i = 0; i < inner; i++) {
          const sum = four.reduce((total, pixel) => total + halfToFloat(data[pixel * inner + i]), 0);
          out[at++] = floatToHalf(sum / divisor);
        }
      }
    }
  }
  return tensor("f16", shape.map((size, i) => i === axis ? size / 4 : size), out);
}
