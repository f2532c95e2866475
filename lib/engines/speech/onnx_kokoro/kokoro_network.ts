/**
 * The network of Kokoro.
 *
 * @module
 */
import type { InferenceSession } from "onnxruntime-node";
import type { OnnxRuntimeModule } from "../../../compute/onnx/load_onnxruntime.ts";
import type { Method } from "../../../platform/rpc/rpc_service.ts";
import { openSession, type SessionSettings, type SessionSource } from "../../onnx_sessions/open_session.ts";
import { SAMPLE_RATE, STYLE_SIZE } from "./kokoro_profile.ts";

/** Maximum samples of a portion: at half speed, far more than any has. */
const MAX_SAMPLES = 180 * SAMPLE_RATE;

/** What the thread of a network does. */
export type KokoroService = {
  /** Opens the network and answers with its device. */
  readonly open: Method<readonly [SessionSource, file: string, SessionSettings], string>;
  /** See `KokoroNetwork.run`. */
  readonly run: Method<
    readonly [numbers: readonly number[], style: Float32Array<ArrayBuffer>, speed: number],
    Float32Array<ArrayBuffer>
  >;
  /** Frees everything; nothing is running. */
  readonly close: Method<readonly []>;
};

/** Makes sound of the numbers of phonemes. */
export class KokoroNetwork {
  /** Such as `cpu`. */
  readonly device: string;
  readonly #file: string;
  readonly #runtime: OnnxRuntimeModule;
  readonly #session: InferenceSession;
  readonly #ports: NetworkPorts;

  private constructor(
    file: string,
    { runtime, session, device }: Awaited<ReturnType<typeof openSession>>,
    ports: NetworkPorts,
  ) {
    this.#file = file;
    this.#runtime = runtime;
    this.#session = session;
    this.#ports = ports;
    this.device = device;
  }

  /**
   * Opens the graph of a file, or what was made of it.
   *
   * @throws {Error} when the file is damaged or of another network.
   */
  static async open(source: SessionSource, file: string, settings: SessionSettings): Promise<KokoroNetwork> {
    const opened = await openSession(source, settings);
    try {
      return new KokoroNetwork(file, opened, networkPorts(opened.session, file));
    } catch (error) {
      await opened.session.release();
      throw error;
    }
  }

  /**
   * The sound of phonemes.
   *
   * @param numbers With the zeros at both ends.
   * @param style Of the voice, for so many phonemes.
   * @throws {Error} when the output is not sound.
   */
  async run(
    numbers: readonly number[],
    style: Float32Array<ArrayBuffer>,
    speed: number,
  ): Promise<Float32Array<ArrayBuffer>> {
    const { Tensor } = this.#runtime;
    const ports = this.#ports;
    const { [ports.sound]: { data } } = await this.#session.run({
      [ports.numbers]: new Tensor("int64", BigInt64Array.from(numbers, BigInt), [1, numbers.length]),
      [ports.style]: new Tensor("float32", style, [1, STYLE_SIZE]),
      [ports.speed]: new Tensor("float32", Float32Array.of(speed), [1]),
    }, [ports.sound]);
    if (data instanceof Float32Array && data.length <= MAX_SAMPLES && data.every(Number.isFinite)) return data.slice();
    throw new Error(`Cannot use ${this.#file}: its output is not sound, use another quantization of the model`);
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

/** Names of inputs and outputs; exports differ in them. */
interface NetworkPorts {
  readonly numbers: string;
  readonly style: string;
  readonly speed: string;
  readonly sound: string;
}

function networkPorts({ inputNames, outputNames }: InferenceSession, file: string): NetworkPorts {
  const pick = (names: readonly string[], kind: string, ...wanted: readonly string[]) => {
    const found = wanted.find((name) => names.includes(name));
    if (found !== undefined) return found;
    throw new Error(`Cannot use ${file}: its ${kind}s are ${names.join(", ")}, expected ${wanted.join(" or ")}`);
  };
  return {
    numbers: pick(inputNames, "input", "input_ids", "tokens"),
    style: pick(inputNames, "input", "style"),
    speed: pick(inputNames, "input", "speed"),
    sound: pick(outputNames, "output", "waveform", "audio"),
  };
}
