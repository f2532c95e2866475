/** Check of the networks of Whisper, of the decoder's cache in both layouts, and of what CTranslate2's files become. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { byteSource, toFloat32 } from "../../../lib/compute/tensor/mod.ts";
import type { ModelFiles } from "../../../lib/engines/contract/engine_entry.ts";
import { openSession } from "../../../lib/engines/onnx_sessions/open_session.ts";
import { floats, SpeechDecoder } from "../../../lib/engines/transcription/speech_decoder.ts";
import { argMax } from "../../../lib/engines/transcription/decoding_quality.ts";
import {
  whisperDecoder as convertedDecoder,
  whisperEncoder as convertedEncoder,
} from "../../../lib/store/convert/whisper/whisper_graphs.ts";
import { WhisperVariables } from "../../../lib/store/convert/whisper/whisper_variables.ts";
import { ctranslate2Bytes, TIED, whisperVariables } from "../../fixtures/tiny_models/ctranslate2_file.ts";
import { onnxFiles } from "../../fixtures/tiny_models/onnx_files.ts";
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
    const converted = await convert(folder, shape, weights);
    const { session: encoder } = await openSession(converted, settings);
    const input = new runtime.Tensor("float32", mel.data, [1, ...mel.shape]);
    const { last_hidden_state: same } = await encoder.run({ input_features: input });
    golden.check("converted encoder", floats(same), golden.expected("encoder").data, ENCODER);
    await encoder.release();
    for (const name of ["merged", "separate", "converted"] as const) {
      const decoder = await openDecoder(folder, shape, weights, name);
      const compare = name === "merged"
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
  graph: "merged" | "separate" | "converted",
): Promise<SpeechDecoder> {
  for (const layout of ["merged", "first", "next"] as const) {
    await writeFile(join(folder, layout), whisperDecoder(shape, weights, layout, true).bytes);
  }
  const files = { path: (name: string) => join(folder, name) } as ModelFiles;
  const graphs = graph === "separate" ? { first: "first", next: "next" } : { first: graph };
  return await SpeechDecoder.open(files, graphs, { heads: shape.heads, headSize: shape.width / shape.heads }, settings);
}

/** Writes the decoder that a file of CTranslate2 with these weights becomes; gives the path of the encoder. */
async function convert(
  folder: string,
  shape: WhisperShape,
  weights: (name: string) => Float32Array,
): Promise<string> {
  const bytes = ctranslate2Bytes(whisperVariables(shape, weights, "f32"), { aliases: TIED });
  const variables = await WhisperVariables.open(byteSource(bytes), "model.bin");
  for (
    const [side, name, make] of [
      ["encoder", "converted_encoder", convertedEncoder],
      ["decoder", "converted", convertedDecoder],
    ] as const
  ) {
    await variables.load(side);
    for (const [path, written] of Object.entries(onnxFiles(name, make(variables, `${name}_data`)))) {
      await writeFile(join(folder, path), written);
    }
  }
  return join(folder, "converted_encoder");
}
