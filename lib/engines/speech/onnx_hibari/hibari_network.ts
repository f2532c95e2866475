/**
 * The network of a voice of Hibari, and what its spectra mean.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../../compute/onnx/load_onnxruntime.ts";
import type { Method } from "../../../platform/rpc/rpc_service.ts";
import { openSession, type SessionSettings } from "../../onnx_sessions/open_session.ts";
import { BINS, type SpectralShapes, type VoiceSpectra } from "./waveform.ts";
import { ModelBuilder } from "../../../compute/onnx/model_builder.ts";

const INPUTS = ["ids", "speed"];
const SPECTRA = ["lh", "theta", "ln", "lr", "phi"] as const;

/** Maximum number of output frames: a minute and a half of sound, more than a portion of text can be. */
const MAX_FRAMES = 7200;

/** What the thread of the networks does. Voices are named by their files. */
export type SpectraService = {
  /** Opens a voice and answers with its device. */
  readonly open: Method<readonly [path: string, file: string, SessionSettings], string>;
  /** Amplitudes of the numbers of phonemes, with the zeros at both ends. */
  readonly run: Method<readonly [file: string, numbers: readonly number[], speed: number], SpectralShapes>;
  /** Frees everything; nothing is running. */
  readonly close: Method<readonly []>;
};

/** Makes spectra of the numbers of phonemes. */
export class HibariNetwork {
  /** Such as `cpu`. */
  readonly device: string;
  readonly #file: string;
  readonly #runtime: OnnxRuntimeModule;
  readonly #session: InferenceSession;

  private constructor(file: string, runtime: OnnxRuntimeModule, session: InferenceSession, device: string) {
    this.#file = file;
    this.#runtime = runtime;
    this.#session = session;
    this.device = device;
  }

  /** @throws {Error} when the file is damaged or of another network. */
  static async open(path: string, file: string, settings: SessionSettings): Promise<HibariNetwork> {
    const { runtime, session, device } = await openSession(path, settings);
    const lacking = [
      ...INPUTS.filter((name) => !session.inputNames.includes(name)).map((name) => `input ${name}`),
      ...[...SPECTRA, "f0"].filter((name) => !session.outputNames.includes(name)).map((name) => `output ${name}`),
    ];
    if (lacking.length === 0) return new HibariNetwork(file, runtime, session, device);
    await session.release();
    throw new Error(`Cannot use ${file}: it has no ${lacking.join(" and no ")}, expected a voice of Hibari`);
  }

  /**
   * Spectra of phonemes.
   *
   * @param numbers With the zeros at both ends.
   * @throws {Error} when the outputs do not fit together.
   */
  async run(numbers: readonly number[], speed: number): Promise<VoiceSpectra> {
    const { Tensor } = this.#runtime;
    const results = await this.#session.run({
      ids: new Tensor("int64", BigInt64Array.from(numbers, BigInt), [1, numbers.length]),
      speed: new Tensor("float32", Float32Array.of(speed), [1]),
    });
    const f0 = floats(results.f0);
    const spectra = SPECTRA.map((name) => floats(results[name]));
    const fits = f0.length > 0 && f0.length <= MAX_FRAMES && f0.every(Number.isFinite) &&
      spectra.every(({ length }) => length === BINS * f0.length);
    if (!fits) {
      throw new Error(
        `Cannot use ${this.#file}: its outputs are not spectra of ${BINS} frequencies with one pitch a frame`,
      );
    }
    const [lh, theta, ln, lr, phi] = spectra;
    return { lh, theta, ln, lr, phi, f0 };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

function floats({ data }: Tensor): Float32Array {
  return data instanceof Float32Array ? data : new Float32Array();
}

/** Upper bound of logarithms of amplitudes. */
const LOUDEST = 7;

const SHAPER_INPUTS = ["lh", "theta", "ln", "lr", "phi"] as const;
const SHAPER_OUTPUTS = ["voiceRe", "voiceIm", "breath", "restRe", "restIm"] as const;

/**
 * Turns logarithms and phases into complex amplitudes, frame by frame: ONNX Runtime has vector instructions for
 * exponential and trigonometric functions, of which a second of sound takes half a million.
 */
export class SpectralShaper {
  readonly #runtime: OnnxRuntimeModule;
  readonly #session: InferenceSession;

  private constructor(runtime: OnnxRuntimeModule, session: InferenceSession) {
    this.#runtime = runtime;
    this.#session = session;
  }

  /** Builds its graph, on one thread of the CPU. */
  static async open(): Promise<SpectralShaper> {
    const { runtime, session } = await openSession({ bytes: shaperGraph(), folder: "" }, { device: "cpu", threads: 1 });
    return new SpectralShaper(runtime, session);
  }

  /** exp(lh) exp(iπ tanh θ), exp(ln) and exp(lr) exp(iφ), with bounded logarithms. */
  async run(spectra: VoiceSpectra): Promise<SpectralShapes> {
    const { Tensor } = this.#runtime;
    const shape = [1, BINS, spectra.f0.length];
    const feeds = Object.fromEntries(SHAPER_INPUTS.map((name) => [name, new Tensor("float32", spectra[name], shape)]));
    const results = await this.#session.run(feeds);
    const [voiceRe, voiceIm, breath, restRe, restIm] = SHAPER_OUTPUTS.map((name) => results[name].data as Float32Array);
    return { voiceRe, voiceIm, breath, restRe, restIm, f0: spectra.f0 };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

/** The graph: spectra `[1, BINS, frames]` to amplitudes `[1, frames, BINS]`. */
function shaperGraph(): Uint8Array {
  const graph = new ModelBuilder("inside");
  for (const name of SHAPER_INPUTS) graph.input(name, "float", [1, BINS, "frames"]);
  const byFrames = (value: string) => graph.node("Transpose", [value], { perm: [0, 2, 1] });
  const amplitude = (value: string) => byFrames(graph.node("Exp", [graph.node("Min", [value, graph.scalar(LOUDEST)])]));
  const turned = (length: string, angle: string) =>
    ["Cos", "Sin"].map((part) => graph.node("Mul", [length, graph.node(part, [angle])]));
  const angle = graph.node("Mul", [graph.node("Tanh", ["theta"]), graph.scalar(Math.PI)]);
  const values = [
    ...turned(amplitude("lh"), byFrames(angle)),
    amplitude("ln"),
    ...turned(amplitude("lr"), byFrames("phi")),
  ];
  for (const [i, name] of SHAPER_OUTPUTS.entries()) graph.output(name, "float", [1, "frames", BINS], values[i]);
  return graph.finish().bytes;
}
