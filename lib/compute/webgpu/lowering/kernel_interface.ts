/**
 * What a kernel declares: its uniform struct and its bindings; what the proof of bounds assumes, and what it
 * derives.
 *
 * @module
 */
import type { Step } from "./step.ts";

/** A storage buffer of a kernel. */
export interface KernelBinding {
  readonly name: string;
  /** Bytes of an element of its array. */
  readonly stride: number;
  /** Numbers in an element, which kernels index one by one; 1 for units, which they only move. */
  readonly lanes: number;
}

/** The declarations of one kernel text. */
export interface KernelInterface {
  /** Bytes of the uniform struct. */
  readonly paramBytes: number;
  /** Storage buffers by their place among a step's bindings. */
  readonly bindings: readonly KernelBinding[];
  /** First word of each field of the uniform struct, and its number of words. */
  readonly fields: ReadonlyMap<string, { readonly word: number; readonly words: number }>;
}

/** A step's uniform struct by the names of the kernel's fields; a vector is the list of its numbers. */
export class KernelParams {
  readonly #fields: KernelInterface["fields"];
  readonly #words: Step["params"];

  constructor({ fields }: KernelInterface, words: Step["params"]) {
    this.#fields = fields;
    this.#words = words;
  }

  /** Whether the kernel has a field of this name. */
  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** An integer field. @throws {RangeError} when the kernel has none of this name. */
  number(name: string): number {
    return this.list(name)[0];
  }

  /** All words of a field. @throws {RangeError} when the kernel has none of this name. */
  list(name: string): number[] {
    const field = this.#fields.get(name);
    if (!field) throw new RangeError(`the kernel has no parameter ${name}`);
    return [...this.#words.subarray(field.word, field.word + field.words)];
  }
}

/** The value of a constant that a kernel's expanded text declares as a number. @throws {RangeError} when there is none. */
export function kernelConstant(code: string, name: string): number {
  const [, value] = new RegExp(`^\\s*const ${name}(?:: u32)? = (\\w+);$`, "m").exec(code) ?? [];
  if (value === undefined) throw new RangeError(`the kernel declares no constant ${name}`);
  const [, digits] = /^(\d+)u$/.exec(value) ?? [];
  return digits === undefined ? kernelConstant(code, value) : Number(digits);
}

/** Reads the declarations of a kernel's expanded text. @throws {RangeError} for one that is not understood. */
export function readKernelInterface(code: string): KernelInterface {
  const aliases = new Map(Array.from(code.matchAll(/^alias (\w+) = (.+);$/gm), ([, name, type]) => [name, type]));
  const resolve = (type: string): string =>
    aliases.has(type)
      ? resolve(aliases.get(type)!)
      : type.replace(/^(vec\d)<(\w+)>$/, (_, vec, of) => `${vec}<${resolve(of)}>`);
  const fields = new Map<string, { word: number; words: number }>();
  let word = 0;
  const struct = /^struct Params \{\n([^}]*)\}/m.exec(code)?.[1] ?? "";
  for (const [, name, type] of struct.matchAll(/^\s*(\w+): ([^,\n]+(?:, \d+>)?),$/gm)) {
    const words = wordsOf(type);
    if (words % 4 === 0) word = Math.ceil(word / 4) * 4;
    fields.set(name, { word, words });
    word += words;
  }
  const bindings: KernelBinding[] = [];
  const declared = /@group\(0\) @binding\((\d+)\) var<storage, (?:read|read_write)> (\w+): array<([^;]+)>;/g;
  for (const [, place, name, type] of code.matchAll(declared)) {
    const [, lanes = "1", scalar] = /^(?:vec([24])<(\w+)>|\w+)$/.exec(resolve(type)) ?? [];
    const stride = Number(lanes) * ((scalar ?? resolve(type)) === "f16" ? 2 : 4);
    bindings[Number(place) - 1] = { name, stride, lanes: type === "unit" ? 1 : Number(lanes) };
  }
  if (fields.size === 0 || bindings.length === 0) throw new RangeError("its declarations are not understood");
  return { fields, bindings, paramBytes: 16 * Math.ceil(word / 4) };
}

function wordsOf(type: string): number {
  if (type === "u32" || type === "f32") return 1;
  const [, length] = /^(?:vec4<u32>|array<vec4<u32>, (\d+)>)$/.exec(type) ?? [];
  if (!type.includes("vec4")) throw new RangeError(`a parameter of type ${type} is not understood`);
  return 4 * Number(length ?? 1);
}

/** A variant of a kernel, as far as its reach depends on it. */
export interface KernelVariant {
  /** Pipeline-overridable constants. */
  readonly constants: Readonly<Record<string, number>>;
  /** Numbers in an element, by binding. */
  readonly lanes: ReadonlyMap<string, number>;
  /** The value of a constant that its text declares as a number. @throws {RangeError} when there is none. */
  readonly constant: (name: string) => number;
  /** Whether its text has a function or an array in workgroup memory of this name. */
  readonly declares: (name: string) => boolean;
}

/** Numbers up to the last one that is read or written, by binding: 0 for one that is bound and left alone. */
export type Reach = Readonly<Record<string, number>>;

/** The reach of one kernel. @throws {RangeError} for parameters whose reach is not known. */
export type ReachOf = (p: KernelParams, variant: KernelVariant) => Reach;

/** One past the last element of a strided block. */
export function strided(start: number, sizes: readonly number[], strides: readonly number[]): number {
  return sizes.reduce((end, size, i) => end + (size - 1) * strides[i], start + 1);
}
