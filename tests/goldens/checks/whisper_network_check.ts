/** Check of the networks of Whisper, and of the decoder's cache in both layouts. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toFloat32 } from "../../../lib/compute/tensor/half.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { openSession } from "../../../lib/engines/onnx_sessions/open_session.ts";
import { floats, SpeechDecoder } from "../../../lib/engines/transcription/speech_decoder.ts";
import { argMax } from "../../../lib/engines/transcription/decoding_quality.ts";
import { whisperDecoder, whisperEncoder, type WhisperShape } from "../../fixtures/tiny_models/whisper_network.ts";
import type { Golden } from "../golden.ts";

const ENCODER = 1e-4;
const LOGITS = 2e-4;
const KEYS = 1e-4;
const settings = { device: "cpu", threads: 1 };

/** Sound to keys, prefix to logits, greedy steps; one graph and two. */
export async function checkWhisperNetwork(golden: Golden): Promise<void> {
  const number = (key: string) => golden.number(key);
  const shape: WhisperShape = {
    width: number("d_model"),
    heads: number("heads"),
    ffn: number("ffn"),
    encoderLayers: number("encoder_layers"),
    decoderLayers: number("decoder_layers"),
    mels: number("mels"),
    soundPositions: number("source_positions"),
    textPositions: number("target_positions"),
    vocabulary: number("vocab"),
  };
  const stored = golden.weights();
  const weights = (name: string) => toFloat32(stored.get(name));
  const folder = await mkdtemp(join(tmpdir(), "svc-"));
  try {
    const { runtime, session } = await openSession(
      { bytes: whisperEncoder(shape, weights, true).bytes, folder },
      settings,
    );
    const mel = golden.input("mel");
    const heard = await session.run({ input_features: new runtime.Tensor("float32", mel.data, [1, ...mel.shape]) });
    for (const name of ["encoder_embeddings", "encoder_after_0"]) golden.compare(name, floats(heard[name]), ENCODER);
    golden.compare("encoder", floats(heard.last_hidden_state), ENCODER);
    for (const merged of [true, false]) {
      const decoder = await openDecoder(folder, shape, weights, merged);
      const name = merged ? "merged" : "separate";
      const compare = merged
        ? golden.compare.bind(golden)
        : (out: string, actual: ArrayLike<number>, tolerance: number) =>
          golden.check(`${name} ${out}`, actual, golden.expected(out).data, tolerance);
      let step = await decoder.start(heard.last_hidden_state, [...golden.input("prefix").data], {});
      compare("prefix_logits", step.logits.flatMap((row) => [...row]), LOGITS);
      const tokens: number[] = [];
      const logits: number[] = [];
      const count = golden.shapeOf("tokens")[0];
      for (;;) {
        const last = step.logits[step.logits.length - 1];
        logits.push(...last);
        tokens.push(argMax(last));
        if (tokens.length === count) break;
        step = await decoder.step(heard.last_hidden_state, tokens[tokens.length - 1], step.cache, {});
      }
      compare("tokens", tokens, 0);
      compare("step_logits", logits, LOGITS);
      compare("self_key_0", floats(step.cache["past_key_values.0.decoder.key"]), KEYS);
      compare("cross_key_0", floats(step.cache["past_key_values.0.encoder.key"]), KEYS);
      await decoder.close();
    }
    await session.release();
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function openDecoder(
  folder: string,
  shape: WhisperShape,
  weights: (name: string) => Float32Array,
  merged: boolean,
): Promise<SpeechDecoder> {
  for (const layout of ["merged", "first", "next"] as const) {
    await writeFile(join(folder, layout), whisperDecoder(shape, weights, layout, true).bytes);
  }
  const files = { path: (name: string) => join(folder, name) } as ModelFiles;
  const graphs = merged ? { first: "merged" } : { first: "first", next: "next" };
  return await SpeechDecoder.open(files, graphs, { heads: shape.heads, headSize: shape.width / shape.heads }, settings);
}
