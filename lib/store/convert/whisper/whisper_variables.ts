/**
 * The variables of a Whisper model of CTranslate2: which ones there are, and what they contain.
 *
 * @module
 */
import { type ByteSource, tensor, toFloat32 } from "../../../compute/tensor/mod.ts";
import { show } from "../../../errors/show.ts";
import { SvcError } from "../../../errors/svc_error.ts";
import { type CTranslate2File, readCTranslate2, type Variable } from "./ctranslate2_file.ts";

/** Sizes of a Whisper model. */
export interface WhisperSizes {
  readonly width: number;
  readonly mels: number;
  readonly vocabulary: number;
  /** Frames of the encoder, half as many as the spectrogram has. */
  readonly soundPositions: number;
  readonly textPositions: number;
  readonly encoder: SideSizes;
  readonly decoder: SideSizes;
}

/** Sizes of the encoder or the decoder. */
interface SideSizes {
  readonly layers: number;
  readonly heads: number;
  readonly ffn: number;
}

/** A matrix with a row for each output: floats of 32 or 16 bits, or integers of 8 bits and what each row is divided by. */
export type Matrix =
  & { readonly rows: number; readonly columns: number }
  & (
    | { readonly type: "f32"; readonly data: Float32Array }
    | { readonly type: "f16"; readonly data: Uint16Array }
    | { readonly type: "i8"; readonly data: Int8Array; readonly divisors: Float32Array }
  );

/** Name and revision of the architecture. */
const ARCHITECTURE = "WhisperSpec";
const REVISION = 3;

/** Settings that the network is written for, where a file names them; GELU has the number 3. */
const SETTINGS: readonly (readonly [name: string, value: number])[] = [
  ["decoder/activation", 3],
  ["decoder/alibi", 0],
  ["decoder/pre_norm", 1],
  ["decoder/scale_embeddings", 0],
  ["decoder/start_from_zero_embedding", 0],
];

/** The largest sizes that the engine opens. */
const MOST = { width: 16_384, heads: 64, mels: 512, sound: 6000, text: 65_536, layers: 256 };

/** Variables whose shapes are those of a Whisper model. */
export class WhisperVariables {
  readonly sizes: WhisperSizes;
  readonly #source: ByteSource;
  readonly #path: string;
  readonly #file: CTranslate2File;
  readonly #contents = new Map<Variable, Uint8Array>();

  private constructor(source: ByteSource, path: string, file: CTranslate2File, sizes: WhisperSizes) {
    this.#source = source;
    this.#path = path;
    this.#file = file;
    this.sizes = sizes;
  }

  /** @throws {SvcError} `unsuitable_files` when the file is damaged, or not of Whisper. */
  static async open(source: ByteSource, path: string): Promise<WhisperVariables> {
    const file = await readCTranslate2(source, path);
    const refuse = (problem: string) => new SvcError("unsuitable_files", `Cannot convert ${path}: ${problem}`);
    if (file.architecture !== ARCHITECTURE || file.revision !== REVISION) {
      throw refuse(
        `it has the architecture ${show(file.architecture)} in revision ${file.revision}, expected ` +
          `${show(ARCHITECTURE)} in revision ${REVISION}`,
      );
    }
    const sizes = await readSizes(source, file, refuse);
    checkShapes(file, sizes, refuse);
    for (const [name, expected] of SETTINGS) {
      const found = await scalar(source, file.variables.get(name));
      if (found !== undefined && found !== expected) throw refuse(`its ${name} is ${found}, expected ${expected}`);
    }
    return new WhisperVariables(source, path, file, sizes);
  }

  has(name: string): boolean {
    return this.#file.variables.has(name);
  }

  /** The name of a variable itself, where this is an alias. */
  nameOf(name: string): string {
    return this.#variable(name).name;
  }

  /** Reads the contents of the encoder or the decoder, in place of the other's. */
  async load(side: "encoder" | "decoder"): Promise<void> {
    this.#contents.clear();
    for (const [name, variable] of this.#file.variables) {
      if (!name.startsWith(`${side}/`)) continue;
      for (const one of [variable, this.#scaleOf(variable)]) {
        if (one === undefined || this.#contents.has(one)) continue;
        this.#contents.set(one, await this.#source.read(one.offset, one.byteLength));
      }
    }
  }

  /** A matrix of the loaded side in the type that it is stored in; rarer types become floats. */
  matrix(name: string): Matrix {
    const variable = this.#variable(name);
    const [rows, columns] = variable.shape;
    if (variable.type === "i8") {
      const data = new Int8Array(this.#bytes(variable).slice().buffer);
      return { rows, columns, type: "i8", data, divisors: this.#divisors(variable) };
    }
    if (variable.type === "f16") {
      return { rows, columns, type: "f16", data: new Uint16Array(this.#bytes(variable).slice().buffer) };
    }
    return { rows, columns, type: "f32", data: this.floats(name) };
  }

  /** The numbers of a variable of the loaded side. */
  floats(name: string): Float32Array {
    const variable = this.#variable(name);
    const { type, shape } = variable;
    const { buffer } = this.#bytes(variable).slice();
    if (type === "f32") return new Float32Array(buffer);
    if (type === "f16" || type === "bf16") return toFloat32(tensor(type, shape, new Uint16Array(buffer)));
    const whole = type === "i8" ? new Int8Array(buffer) : new Int16Array(buffer);
    const divisors = this.#divisors(variable);
    const each = whole.length / divisors.length;
    const floats = new Float32Array(whole.length);
    for (let i = 0; i < floats.length; i++) floats[i] = whole[i] / divisors[Math.floor(i / each)];
    return floats;
  }

  /** What integers were multiplied with: one number, or one for each row. */
  #divisors(variable: Variable): Float32Array {
    const scale = this.#scaleOf(variable) as Variable;
    const { buffer } = this.#bytes(scale).slice();
    const divisors = scale.type === "f32"
      ? new Float32Array(buffer)
      : toFloat32(tensor(scale.type as "f16" | "bf16", [scale.byteLength / 2], new Uint16Array(buffer)));
    const bad = divisors.find((value) => !(value > 0 && value < Infinity));
    if (bad === undefined) return divisors;
    throw new SvcError(
      "unsuitable_files",
      `Cannot convert ${this.#path}: its variable ${show(scale.name)} has ${bad}, expected positive numbers`,
    );
  }

  #scaleOf(variable: Variable): Variable | undefined {
    return this.#file.variables.get(`${variable.name}_scale`);
  }

  #variable(name: string): Variable {
    return this.#file.variables.get(name) as Variable;
  }

  #bytes(variable: Variable): Uint8Array {
    return this.#contents.get(variable) as Uint8Array;
  }
}

type Refuse = (problem: string) => SvcError;

async function readSizes(source: ByteSource, { variables }: CTranslate2File, refuse: Refuse): Promise<WhisperSizes> {
  const shapeOf = (name: string, rank: number): readonly number[] => {
    const shape = variables.get(name)?.shape;
    if (shape === undefined) throw refuse(`it lacks the variable ${show(name)}`);
    if (shape.length === rank) return shape;
    throw refuse(`its variable ${show(name)} has the shape [${shape}], expected ${rank} axes`);
  };
  const within = (what: string, value: number | undefined, most: number): number => {
    if (value !== undefined && value >= 1 && value <= most) return value;
    throw refuse(`its ${what} is ${value ?? "missing"}, expected 1 to ${most}`);
  };
  const [width, mels] = shapeOf("encoder/conv1/weight", 3);
  const side = async (name: "encoder" | "decoder"): Promise<SideSizes> => {
    const layer = new RegExp(`^${name}/layer_(\\d{1,4})/`);
    const indices = Array.from(variables.keys(), (key) => Number(layer.exec(key)?.[1] ?? -1));
    const heads = within(`${name}/num_heads`, await scalar(source, variables.get(`${name}/num_heads`)), MOST.heads);
    if (width % heads !== 0) {
      throw refuse(`its ${name}/num_heads is ${heads}, expected a divisor of its width ${width}`);
    }
    const layers = within(`number of ${name} layers`, indices.reduce((a, b) => Math.max(a, b), -1) + 1, MOST.layers);
    return { layers, heads, ffn: shapeOf(`${name}/layer_0/ffn/linear_0/weight`, 2)[0] };
  };
  return {
    width: within("width", width, MOST.width),
    mels: within("number of mel bands", mels, MOST.mels),
    vocabulary: shapeOf("decoder/embeddings/weight", 2)[0],
    soundPositions: within("number of frames", shapeOf("encoder/position_encodings/encodings", 2)[0], MOST.sound),
    textPositions: within("number of tokens", shapeOf("decoder/position_encodings/encodings", 2)[0], MOST.text),
    encoder: await side("encoder"),
    decoder: await side("decoder"),
  };
}

/** An integer without axes; undefined where there is none. */
async function scalar(source: ByteSource, variable: Variable | undefined): Promise<number | undefined> {
  if (variable === undefined || variable.shape.length > 0 || !/^i/.test(variable.type)) return undefined;
  const { buffer, byteOffset } = await source.read(variable.offset, variable.byteLength);
  const view = new DataView(buffer, byteOffset);
  return variable.type === "i8"
    ? view.getInt8(0)
    : variable.type === "i16"
    ? view.getInt16(0, true)
    : view.getInt32(0, true);
}

/** Compares all variables that are not single numbers with those of the network. */
function checkShapes({ variables }: CTranslate2File, sizes: WhisperSizes, refuse: Refuse): void {
  const shapes = whisperShapes(sizes);
  for (const [name, shape] of shapes) {
    const found = variables.get(name);
    if (found === undefined) throw refuse(`it lacks the variable ${show(name)} of [${shape}]`);
    if (found.shape.join() !== shape.join()) {
      throw refuse(`its variable ${show(name)} has the shape [${found.shape}], expected [${shape}]`);
    }
    const scale = variables.get(`${found.name}_scale`);
    if (found.type === "i32") throw refuse(`its variable ${show(name)} has the type i32, expected numbers of weights`);
    if (!/^i/.test(found.type)) continue;
    if (scale === undefined) {
      throw refuse(`it lacks the variable ${show(`${name}_scale`)}, by which ${found.type} is read`);
    }
    const expected = found.type === "i8" ? [shape[0]] : [];
    if (scale.shape.join() !== expected.join() || !/f/.test(scale.type)) {
      throw refuse(
        `its variable ${show(scale.name)} is [${scale.shape}] in ${scale.type}, expected [${expected}] of floats`,
      );
    }
  }
  const other = [...variables].find(([name, { shape }]) =>
    shape.length > 0 && !shapes.has(name) && !shapes.has(name.replace(/_scale$/, "")) &&
    name !== "decoder/projection/bias"
  );
  if (other !== undefined) throw refuse(`it has the variable ${show(other[0])}, expected only those of Whisper`);
}

function whisperShapes({ width, mels, vocabulary, soundPositions, textPositions, encoder, decoder }: WhisperSizes) {
  const shapes = new Map<string, readonly number[]>();
  const norm = (name: string) => void shapes.set(`${name}/gamma`, [width]).set(`${name}/beta`, [width]);
  const linear = (name: string, rows: number, columns: number) =>
    void shapes.set(`${name}/weight`, [rows, columns]).set(`${name}/bias`, [rows]);
  const layer = (name: string, ffn: number, heard: boolean) => {
    norm(`${name}/self_attention/layer_norm`);
    linear(`${name}/self_attention/linear_0`, 3 * width, width);
    linear(`${name}/self_attention/linear_1`, width, width);
    if (heard) {
      norm(`${name}/attention/layer_norm`);
      linear(`${name}/attention/linear_0`, width, width);
      linear(`${name}/attention/linear_1`, 2 * width, width);
      linear(`${name}/attention/linear_2`, width, width);
    }
    norm(`${name}/ffn/layer_norm`);
    linear(`${name}/ffn/linear_0`, ffn, width);
    linear(`${name}/ffn/linear_1`, width, ffn);
  };
  shapes.set("encoder/conv1/weight", [width, mels, 3]).set("encoder/conv1/bias", [width]);
  shapes.set("encoder/conv2/weight", [width, width, 3]).set("encoder/conv2/bias", [width]);
  shapes.set("encoder/position_encodings/encodings", [soundPositions, width]);
  shapes.set("decoder/position_encodings/encodings", [textPositions, width]);
  shapes.set("decoder/embeddings/weight", [vocabulary, width]);
  shapes.set("decoder/projection/weight", [vocabulary, width]);
  for (let i = 0; i < encoder.layers; i++) layer(`encoder/layer_${i}`, encoder.ffn, false);
  for (let i = 0; i < decoder.layers; i++) layer(`decoder/layer_${i}`, decoder.ffn, true);
  norm("encoder/layer_norm");
  norm("decoder/layer_norm");
  return shapes;
}
