/**
 * The tensors of a GGUF file as 32-bit floats.
 *
 * @module
 */
import type { ByteSource } from "../../../compute/tensor/mod.ts";
import { readGgufTensors } from "../../../engines/gguf_text/gguf_metadata.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import type { CheckpointTensor, TensorSource } from "../../../models/checkpoint/torch/state_dict.ts";
import { type BlockType, blockTypes } from "./gguf_blocks.ts";

/** Numbers that are read at a time. */
const PART = 2 ** 22;

/**
 * Opens the file; its numbers are widened as they are read.
 *
 * @throws {SvcError} `checkpoint_refused`.
 */
export async function openGguf(name: string, source: ByteSource): Promise<TensorSource> {
  const refuse = (problem: string) => new SvcError("checkpoint_refused", `Cannot read ${name}: ${problem}`);
  const files = { readPart: async (_: string, at: number, length: number) => await source.read(at, length) };
  const found = await readGgufTensors(files, name).catch((error: Error) => {
    throw new SvcError("checkpoint_refused", error.message, { cause: error });
  });
  let end = 0;
  const tensors = [...found].sort((a, b) => a.offset - b.offset).map(
    ({ name: tensor, shape, type, offset }): CheckpointTensor => {
      const block = blockTypes[type];
      const shown = JSON.stringify(tensor.slice(0, 80));
      if (!block) {
        const known = Object.values(blockTypes).map((each) => each.name).join(", ");
        throw refuse(`its tensor ${shown} has the type number ${type}, expected one of ${known}`);
      }
      const count = shape.reduce((n, length) => n * length, 1);
      const width = shape.at(-1) ?? 1;
      if (!(count > 0 && Number.isSafeInteger(count)) || width % block.numbers !== 0) {
        throw refuse(`its tensor ${shown} has the shape [${shape}] in ${block.name}, expected rows of whole blocks`);
      }
      const bytes = count / block.numbers * block.bytes;
      if (offset + bytes > source.size) throw refuse(`it ends before its tensor ${shown}, expected a whole file`);
      if (offset < end) throw refuse(`its tensor ${shown} shares bytes with another one, expected its own`);
      end = offset + bytes;
      return {
        ...{ name: tensor, dtype: "F32", shape, byteLength: 4 * count },
        read: () => readBlocks(source, offset, count, block),
      };
    },
  );
  return { tensors };
}

async function* readBlocks(
  source: ByteSource,
  offset: number,
  count: number,
  { numbers, bytes, read }: BlockType,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += PART) {
    const length = Math.min(PART, count - at);
    const part = await source.read(offset + at / numbers * bytes, length / numbers * bytes);
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
    const out = new Float32Array(length);
    for (let i = 0; i < length / numbers; i++) read(view, i * bytes, out, i * numbers);
    yield new Uint8Array(out.buffer);
  }
}
