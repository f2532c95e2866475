/**
 * What the spectra of Hibari's network mean.
 *
 * @module
 */
import type { InferenceSession } from "onnxruntime-node";
import { ModelBuilder } from "../../../compute/onnx/model_builder.ts";
import type { OnnxRuntimeModule } from "../../../compute/onnx/load_onnxruntime.ts";
import { openSession } from "../../onnx_sessions/open_session.ts";
import { BINS, type SpectralShapes, type VoiceSpectra } from "./waveform.ts";

/** Upper bound of logarithms of amplitudes. */
const LOUDEST = 7;

const INPUTS = ["lh", "theta", "ln", "lr", "phi"] as const;
const OUTPUTS = ["voiceRe", "voiceIm", "breath", "restRe", "restIm"] as const;

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
    const feeds = Object.fromEntries(INPUTS.map((name) => [name, new Tensor("float32", spectra[name], shape)]));
    const results = await this.#session.run(feeds);
    const [voiceRe, voiceIm, breath, restRe, restIm] = OUTPUTS.map((name) => results[name].data as Float32Array);
    return { voiceRe, voiceIm, breath, restRe, restIm, f0: spectra.f0 };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

/** The graph: spectra `[1, BINS, frames]` to amplitudes `[1, frames, BINS]`. */
function shaperGraph(): Uint8Array {
  const graph = new ModelBuilder("inside");
  for (const name of INPUTS) graph.input(name, "float", [1, BINS, "frames"]);
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
  for (const [i, name] of OUTPUTS.entries()) graph.output(name, "float", [1, "frames", BINS], values[i]);
  return graph.finish().bytes;
}
