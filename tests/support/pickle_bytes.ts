import { storedZip } from "./stored_zip_bytes.ts";

/** Bytes of a text. */
export function text(s: string): number[] {
  return [...new TextEncoder().encode(s)];
}

/** Instructions that push a short text. */
export function word(s: string): number[] {
  return [0x8c, s.length, ...text(s)];
}

/** Instructions that push an integer. */
export function number(n: number): number[] {
  return [0x8a, 8, ...new Uint8Array(BigInt64Array.of(BigInt(n)).buffer)];
}

/** Instructions that push a class or function. */
export function global(name: string): number[] {
  const at = name.lastIndexOf(".");
  return [0x63, ...text(`${name.slice(0, at)}\n`), ...text(`${name.slice(at + 1)}\n`)];
}

/** Instructions that push a tuple. */
export function tuple(...items: number[][]): number[] {
  return [0x28, ...items.flat(), 0x74];
}

/** Instructions that push a storage of an archive. */
export function storage(key: string, count: number, type = "torch.FloatStorage"): number[] {
  return [...tuple(word("storage"), global(type), word(key), word("cpu"), number(count)), 0x51];
}

/** Instructions that push a tensor. */
export function tensor(
  stored: number[],
  offset: number,
  shape: readonly number[],
  strides: readonly number[],
): number[] {
  return [
    ...global("torch._utils._rebuild_tensor_v2"),
    ...tuple(stored, number(offset), tuple(...shape.map(number)), tuple(...strides.map(number)), [0x89], [0x7d]),
    0x52,
  ];
}

/** A whole pickle of a dictionary. */
export function dictionary(...pairs: [string, number[]][]): number[] {
  return [0x80, 2, 0x7d, 0x28, ...pairs.flatMap(([key, value]) => [...word(key), ...value]), 0x75, 0x2e];
}

/** Tensors of 32-bit floats as `torch.save` writes them. */
export function torchCheckpoint(
  tensors: ReadonlyMap<string, { readonly shape: readonly number[]; readonly data: Float32Array }>,
): Uint8Array<ArrayBuffer> {
  const entries = [...tensors];
  const pickle = dictionary(...entries.map(([name, { shape, data }], i): [string, number[]] => {
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((n, length) => n * length, 1));
    return [name, tensor(storage(`${i}`, data.length), 0, shape, strides)];
  }));
  const bytes = ({ buffer, byteOffset, byteLength }: Float32Array) => new Uint8Array(buffer, byteOffset, byteLength);
  return storedZip([
    ["archive/data.pkl", Uint8Array.from(pickle)],
    ...entries.map(([, { data }], i) => [`archive/data/${i}`, bytes(data)] as const),
  ]);
}
