/**
 * Graphs of ONNX files without their weights, and the choice of one among the files of a model.
 *
 * @module
 */
import {
  MAX_FIELD_HEAD,
  type ProtoPlace,
  protoText,
  ProtoWriter,
  readPlace,
  readProto,
} from "../../compute/onnx/proto.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";

/** An operator. */
export interface OnnxNode {
  readonly type: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The serialized message. */
  readonly bytes: Uint8Array;
}

/** An input or output. */
export interface OnnxValue {
  readonly name: string;
  /** `TensorProto.DataType`; 0 for other types. */
  readonly elementType: number;
  /** Sizes; a name or undefined where they are dynamic. */
  readonly shape: readonly (number | string)[];
  /** The serialized message. */
  readonly bytes: Uint8Array;
}

/** An ONNX model whose large weights stay in their files. */
export interface OnnxFile {
  /** Serialized fields of the model besides its graph. */
  readonly head: readonly Uint8Array[];
  readonly nodes: readonly OnnxNode[];
  /** Serialized weights by name; large ones refer to their place in a file. */
  readonly weights: ReadonlyMap<string, Uint8Array>;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  /** Further serialized fields of the graph. */
  readonly rest: readonly Uint8Array[];
}

/** Fields of `onnx.proto`. */
const GRAPH = 7;
const NODE = 1;
const INITIALIZER = 5;
const INPUT = 11;
const OUTPUT = 12;
const RAW_DATA = 9;
const EXTERNAL_DATA = 13;

/** Weights of at least this size stay in the file; constants for shapes are smaller. */
const largeFrom = 64 * 1024;

/**
 * Reads the graph of an ONNX file.
 *
 * @throws {Error} naming the file when it is not a complete ONNX model, or when its weights are not among the files of
 * the model.
 */
export async function readOnnxFile(files: ModelFiles, name: string): Promise<OnnxFile> {
  const window = new FileWindow(files, name);
  const graph: Graph = { nodes: [], weights: new Map(), inputs: [], outputs: [], rest: [] };
  const head: Uint8Array[] = [];
  try {
    let graphs = 0;
    for await (const place of fields(window, 0, Infinity)) {
      if (place.field === GRAPH) {
        graphs++;
        await readGraph(window, place, graph, (location) => checkLocation(files, name, location));
      } else head.push(await read(window, place.at, place.end));
    }
    if (graphs === 0) throw new RangeError("it has no graph");
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new Error(`Cannot read ${name}: ${cause.message}, expected a complete ONNX model`, { cause });
  }
  return { head, ...graph };
}

interface Graph {
  readonly nodes: OnnxNode[];
  readonly weights: Map<string, Uint8Array>;
  readonly inputs: OnnxValue[];
  readonly outputs: OnnxValue[];
  readonly rest: Uint8Array[];
}

async function readGraph(
  window: FileWindow,
  graphPlace: FilePlace,
  graph: Graph,
  check: (location: string) => void,
): Promise<void> {
  for await (const place of fields(window, graphPlace.start, graphPlace.end)) {
    if (place.field === INITIALIZER) {
      const message = await readWeight(window, place);
      const { name, location } = describeWeight(message);
      if (location !== undefined && location !== window.baseName) check(location);
      graph.weights.set(name, message);
      continue;
    }
    const whole = await read(window, place.at, place.end);
    const bytes = whole.subarray(place.start - place.at);
    if (place.field === NODE) graph.nodes.push(readNode(bytes));
    else if (place.field === INPUT) graph.inputs.push(readValue(bytes));
    else if (place.field === OUTPUT) graph.outputs.push(readValue(bytes));
    else graph.rest.push(whole);
  }
}

/** A field in a file; `at` is the offset of its tag. */
type FilePlace = ProtoPlace & { readonly at: number };

async function* fields(window: FileWindow, start: number, end: number): AsyncGenerator<FilePlace> {
  for (let at = start; at < end;) {
    const bytes = await window.upTo(at, Math.min(MAX_FIELD_HEAD, end - at));
    if (bytes.length === 0) {
      if (end === Infinity && at > 0) return;
      throw new RangeError(`it ends at byte ${at}`);
    }
    const place = readPlace(bytes, 0);
    const found = { ...place, at, start: at + place.start, end: at + place.end };
    if (found.end > end) throw new RangeError(`the field at byte ${at} exceeds its message`);
    yield found;
    at = found.end;
  }
}

function read(window: FileWindow, start: number, end: number): Promise<Uint8Array> {
  return window.exactly(start, end - start);
}

/** The message of a weight; large raw data is replaced by its location in the file. */
async function readWeight(window: FileWindow, weight: FilePlace): Promise<Uint8Array> {
  if (weight.end - weight.start < largeFrom) return await read(window, weight.start, weight.end);
  const message = new ProtoWriter();
  for await (const place of fields(window, weight.start, weight.end)) {
    if (place.field === RAW_DATA && place.end - place.start >= largeFrom / 2) {
      const entry = (key: string, value: string | number) => new ProtoWriter().string(1, key).string(2, String(value));
      message.message(EXTERNAL_DATA, entry("location", window.baseName))
        .message(EXTERNAL_DATA, entry("offset", place.start))
        .message(EXTERNAL_DATA, entry("length", place.end - place.start))
        .int(14, 1);
      // Its last byte must exist: detects a truncated file now.
      await read(window, place.end - 1, place.end);
    } else message.fields(await read(window, place.at, place.end));
  }
  return message.finish();
}

function describeWeight(message: Uint8Array): { readonly name: string; readonly location: string | undefined } {
  let location: string | undefined;
  for (const { field, bytes } of readProto(message)) {
    if (field === EXTERNAL_DATA && text(bytes, 1) === "location") location = text(bytes, 2);
  }
  return { name: text(message, 8), location };
}

/** Weights of a hostile file must not come from anywhere else. */
function checkLocation(files: ModelFiles, name: string, location: string): void {
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  const isInside = !/(^|\/)(\.\.)?(\/|$)/.test(location);
  if (isInside && files.names.includes(folder + location)) return;
  const remedy = isInside ? `: it has no ${folder}${location}, add the file` : "";
  throw new Error(
    `Cannot read ${name}: its weights are in ${
      JSON.stringify(location.slice(0, 80))
    }, expected a file of the model's folder${remedy}`,
  );
}

function readNode(bytes: Uint8Array): OnnxNode {
  const inputs: string[] = [];
  const outputs: string[] = [];
  let type = "";
  for (const field of readProto(bytes)) {
    if (field.field === 1) inputs.push(protoText(field));
    else if (field.field === 2) outputs.push(protoText(field));
    else if (field.field === 4) type = protoText(field);
  }
  return { type, inputs, outputs, bytes };
}

function readValue(bytes: Uint8Array): OnnxValue {
  let elementType = 0;
  const shape: (number | string)[] = [];
  for (const { field, number, bytes: sizes } of readProto(member(member(bytes, 2), 1))) {
    if (field === 1) elementType = number;
    if (field !== 2) continue;
    for (const dimension of readProto(sizes)) {
      const [size] = readProto(dimension.bytes);
      shape.push(size === undefined ? "" : size.field === 1 ? size.number : protoText(size));
    }
  }
  return { name: text(bytes, 1), elementType, shape, bytes };
}

/** The bytes of a message's field; empty when absent. */
function member(message: Uint8Array, field: number): Uint8Array {
  for (const found of readProto(message)) if (found.field === field) return found.bytes;
  return new Uint8Array();
}

function text(message: Uint8Array, field: number): string {
  return new TextDecoder().decode(member(message, field));
}

const WINDOW = 1024 * 1024;

/** A file of a model, with the last read part cached. */
class FileWindow {
  readonly baseName: string;
  readonly #files: ModelFiles;
  readonly #name: string;
  #start = 0;
  #bytes = new Uint8Array();

  constructor(files: ModelFiles, name: string) {
    this.baseName = name.slice(name.lastIndexOf("/") + 1);
    this.#files = files;
    this.#name = name;
  }

  /** Bytes of the file: fewer at its end. They must not be modified. */
  async upTo(start: number, length: number): Promise<Uint8Array> {
    const kept = start - this.#start;
    if (kept >= 0 && kept + length <= this.#bytes.length) return this.#bytes.subarray(kept, kept + length);
    this.#bytes = await this.#files.readPart(this.#name, start, Math.max(length, WINDOW)) as Uint8Array<ArrayBuffer>;
    this.#start = start;
    return this.#bytes.subarray(0, length);
  }

  /** @throws {RangeError} when the file ends earlier. */
  async exactly(start: number, length: number): Promise<Uint8Array> {
    const bytes = await this.upTo(start, length);
    if (bytes.length === length) return bytes;
    throw new RangeError(`it ends at byte ${start + bytes.length}, before byte ${start + length}`);
  }
}

/** Suffixes of quantizations in file names; fastest on a CPU first. */
const suffixes = ["_q4", "_quantized", "_int8", "_uint8", "_q4f16", "_bnb4", "", "_fp16"];

/** Fastest on a GPU first, where numbers of 16 bits are native and those of 8 are not. */
const gpuSuffixes = ["_q4f16", "_q4", "_fp16", "", "_bnb4", "_quantized", "_int8", "_uint8"];

/** Names of decoder graphs with a cache. */
const bases = ["decoder_model_merged", "model"];

/** A graph among the files of a model; undefined when there is none with this name. */
export function chooseGraph(names: readonly string[], ...bases: readonly string[]): string | undefined {
  return choose(names, suffixes, bases);
}

function choose(names: readonly string[], order: readonly string[], bases: readonly string[]): string | undefined {
  const known = order.flatMap((suffix) => bases.map((base) => `onnx/${base}${suffix}.onnx`));
  return known.find((name) => names.includes(name));
}

/**
 * The decoder graph among the files of a model; undefined when there is none.
 *
 * @param device That it will run on; the CPU unless it is given.
 */
export function chooseWeights(names: readonly string[], device = "cpu"): string | undefined {
  return choose(names, device === "cpu" ? suffixes : gpuSuffixes, bases) ??
    names.find((name) => /^(?:onnx\/)?(?:decoder_)?model[^/]*\.onnx$/.test(name));
}
