/**
 * The network of a voice of Hibari.
 *
 * @module
 */
import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../../compute/onnx/load_onnxruntime.ts";
import { openSession, type SessionSettings } from "../../onnx_sessions/open_session.ts";
import { BINS, type VoiceSpectra } from "./waveform.ts";

const INPUTS = ["ids", "speed"];
const SPECTRA = ["lh", "theta", "ln", "lr", "phi"] as const;

/** Maximum number of output frames: a minute and a half of sound, more than a portion of text can be. */
const MAX_FRAMES = 7200;

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
