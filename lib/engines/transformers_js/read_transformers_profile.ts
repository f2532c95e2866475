/**
 * Profiles of models for transformers.js, and the families that it runs here.
 *
 * @module
 */
import type { TemplateSources, TextFeature } from "../../protocol/mod.ts";
import type { ModelFiles } from "../contract/engine_entry.ts";
import { checkSizes, type JsonObject, readModelJson, textConfig } from "../files/model_json.ts";
import type { ChatModelProfile } from "../contract/model_profile.ts";
import { chooseGraph, readOnnxFile } from "../onnx_sessions/onnx_file.ts";
import { contextIn, endTokenIds, readContext, readSampling } from "../onnx_text/read_onnx_text_profile.ts";
import { readTemplate } from "../files/tokenizer_files.ts";
import { templateReasoning, TEXT_FEATURES } from "../text/text_capabilities.ts";

/** How a model is opened and fed. */
export interface TransformersFamily {
  /** `images`: text with an image; `encoder-decoder`: a text that becomes another. */
  readonly kind: "images" | "encoder-decoder";
  /** Names of its graphs without their quantization. */
  readonly graphs: readonly string[];
}

/** Graphs of families with images besides their decoder, by `model_type`: Qwen-VL and Qwen 3.5, Gemma 3n. */
const withImages = new Map<unknown, readonly string[]>([
  ["qwen2_vl", ["embed_tokens", "vision_encoder"]],
  ["qwen2_5_vl", ["embed_tokens", "vision_encoder"]],
  ["qwen3_vl", ["embed_tokens", "vision_encoder"]],
  ["qwen3_5", ["embed_tokens", "vision_encoder"]],
  ["gemma3n", ["embed_tokens", "vision_encoder", "audio_encoder"]],
]);

/** Encoder-decoders, by `model_type`. */
const encoderDecoders = new Set<unknown>([
  "t5",
  "mt5",
  "longt5",
  "bart",
  "mbart",
  "marian",
  "m2m_100",
  "blenderbot",
  "blenderbot-small",
]);

/** The family of a model; undefined for others. */
export function transformersFamily(config: JsonObject, names: readonly string[]): TransformersFamily | undefined {
  const { model_type: type } = config;
  const kind = encoderDecoders.has(type) ? "encoder-decoder" : "images";
  const others = kind === "images" ? withImages.get(type) : ["encoder_model"];
  if (others === undefined) return undefined;
  const graphs = [...others, "decoder_model_merged"];
  return graphs.every((graph) => chooseGraph(names, graph) !== undefined) ? { kind, graphs } : undefined;
}

/** Relative positions reach as far as these models were trained for. */
const ENCODER_CONTEXT = 512;

/** Bytes of the logits of a prompt, which graphs without `num_logits_to_keep` compute for every token. */
const MAX_LOGITS = 2 ** 31;

/** Encoder-decoders turn a text into another: there are no roles, tools or reasoning. */
const PLAIN_TEMPLATE = "{% for message in messages %}{{ message.content }}{% if not loop.last %}\n{% endif %}" +
  "{% endfor %}";

/** What there is nothing for in a text that becomes another. */
const chatOnly: readonly TextFeature[] = ["tools", "strict_tools", "template_arguments"];

/**
 * Reads the profile of a model that our own decode loop does not run whole.
 *
 * @returns Undefined for other files.
 * @throws {Error} when the model is broken.
 */
export async function readTransformersProfile(files: ModelFiles): Promise<ChatModelProfile | undefined> {
  const config = await readModelJson(files, "config.json");
  const family = config && transformersFamily(config, files.names);
  if (config !== undefined && family === undefined) checkEncoder(config, files.names);
  if (config === undefined || family === undefined) return undefined;
  checkSizes(config);
  const generation = await readModelJson(files, "generation_config.json") ?? {};
  endTokenIds(config, generation);
  const template = await readTransformersTemplate(files, family);
  return {
    kind: "chat",
    engine: "transformers-js",
    context: Math.min(ownContext(config, family), await logitRows(files, config, family)),
    maxOutputTokens: undefined,
    capabilities: {
      features: new Set(
        family.kind === "encoder-decoder"
          ? TEXT_FEATURES.filter((feature) => !chatOnly.includes(feature))
          : [...TEXT_FEATURES, "images"],
      ),
      reasoning: templateReasoning(template),
    },
    sampling: readSampling(family.kind === "encoder-decoder" ? { do_sample: false, ...generation } : generation),
    kvCacheModes: [],
  };
}

/** A decoder that reads what an encoder makes is of no other family. */
function checkEncoder({ model_type: type }: JsonObject, names: readonly string[]): void {
  if (!encoderDecoders.has(type) || chooseGraph(names, "decoder_model_merged") === undefined) return;
  if (chooseGraph(names, "encoder_model") !== undefined) return;
  throw new Error("Cannot open the model: it has no onnx/encoder_model.onnx, add the file to its folder");
}

/** The templates of a model; encoder-decoders without one get the contents of the messages, a line each. */
export async function readTransformersTemplate(
  files: ModelFiles,
  { kind }: TransformersFamily,
): Promise<TemplateSources> {
  const template = await readTemplate(files);
  return kind === "encoder-decoder" && template.chat === undefined ? { ...template, chat: PLAIN_TEMPLATE } : template;
}

function ownContext(config: JsonObject, { kind }: TransformersFamily): number {
  return kind === "encoder-decoder" ? contextIn(config) ?? ENCODER_CONTEXT : readContext(config);
}

/** Longest prompt whose logits have room. The library passes the prompt to a decoder at once. */
async function logitRows(files: ModelFiles, config: JsonObject, { graphs, kind }: TransformersFamily): Promise<number> {
  const name = chooseGraph(files.names, graphs[graphs.length - 1]);
  if (kind === "encoder-decoder" || name === undefined) return Infinity;
  const { inputs } = await readOnnxFile(files, name);
  if (inputs.some((input) => input.name === "num_logits_to_keep")) return Infinity;
  const vocabulary = Number(textConfig(config).vocab_size);
  return Math.floor(MAX_LOGITS / 4 / (vocabulary > 0 ? vocabulary : 2 ** 18));
}
