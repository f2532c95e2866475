/**
 * A chat model that sees pictures.
 *
 * @module
 */
import { ModelBuilder } from "../../lib/onnx/model_builder.ts";
import { jsonFile, type ModelFiles, textFile } from "./model_files.ts";
import { decoderConfig } from "./onnx_chat_model.ts";
import { type DecoderOptions, onnxDecoder } from "./onnx_decoder.ts";
import { onnxFiles } from "./onnx_files.ts";
import type { ScriptedAnswer } from "./scripted_answers.ts";
import { END_TOKEN, PAD_TOKEN, type ScriptedVocabulary, scriptVocabulary } from "./scripted_vocabulary.ts";
import { scriptedWeights } from "./scripted_weights.ts";
import { chatTokenizerFiles } from "./tokenizer_files.ts";
import { tensorRandom, TINY_SHAPE, type TransformerWeights, uniform } from "./transformer_weights.ts";

/** Which vision model; everything has a default. */
export interface VisionChatModelOptions {
  /** `llava` (the default): a picture is one piece; `smolvlm`: it is cut into squares. */
  readonly family?: "llava" | "smolvlm";
  /** `gqa` (the default) or `std`. */
  readonly kind?: DecoderOptions["kind"];
  readonly seed?: number;
}

/** Side of a piece in pixels, and of a patch, which is a vector. */
const PIECE = 32;
const PATCH = 16;
const VECTORS = (PIECE / PATCH) ** 2;

/** How much of a vector tells of its patch; the rest tells of the strongest colour of the piece. */
const DETAIL = 0.1;

const COLOURS = ["red", "green", "blue"];
const IMAGE = "<image>";
const marks = ["<fake_token_around_image>", "<global-img>"];
const places = [1, 2].flatMap((row) => [1, 2].map((column) => `<row_${row}_col_${column}>`));

/**
 * Makes the files of a model in the manner of LLaVA (Liu et al. 2023) or SmolVLM (Marafioti et al. 2025), whose graphs
 * are a vision encoder, a table of tokens, and a decoder of vectors. The first one says which colour a picture has most
 * of; the second one says what its random part makes of the marks around a picture. Equal options give equal bytes.
 */
export function visionChatModel(options: VisionChatModelOptions = {}): ModelFiles {
  const { family = "llava", kind = "gqa", seed = 1 } = options;
  const script: ScriptedAnswer[] = [
    ...COLOURS.map((colour) => ({ when: colour, say: `The picture is ${colour}.` })),
    { when: "", say: "I see no picture." },
  ];
  const vocabulary = scriptVocabulary(script, [IMAGE, ...marks, ...places]);
  const weights = scriptedWeights(vocabulary, TINY_SHAPE, seed);
  const decoder = onnxDecoder(weights, {
    kind,
    weights: "f32",
    place: "inside",
    output: "logits",
    embedded: true,
    halfCache: false,
    logitsToKeep: false,
  });
  const id = (token: string): number => vocabulary.ids.get(token)!;
  const { max_position_embeddings: _, ...config } = decoderConfig(weights.shape);
  return {
    "config.json": jsonFile({
      architectures: [family === "llava" ? "LlavaForConditionalGeneration" : "SmolVLMForConditionalGeneration"],
      model_type: family,
      image_token_id: id(IMAGE),
      eos_token_id: id(END_TOKEN),
      pad_token_id: id(PAD_TOKEN),
      text_config: { ...config, max_position_embeddings: weights.shape.context },
      vision_config: { image_size: PIECE, patch_size: PATCH },
    }),
    "generation_config.json": jsonFile({ do_sample: false, eos_token_id: id(END_TOKEN) }),
    "preprocessor_config.json": jsonFile(preprocessing(family)),
    ...chatTokenizerFiles(vocabulary, weights.shape.context),
    "chat_template.jinja": textFile(template(vocabulary)),
    ...onnxFiles("onnx/decoder_model_merged.onnx", decoder),
    ...onnxFiles("onnx/embed_tokens.onnx", embedTokens(weights)),
    ...onnxFiles("onnx/vision_encoder.onnx", visionEncoder(vocabulary, weights, family, seed)),
  };
}

function preprocessing(family: string): Readonly<Record<string, unknown>> {
  const shared = { do_rescale: true, rescale_factor: 1 / 255, do_normalize: true, image_mean: [0.5, 0.5, 0.5] };
  const numbers = { ...shared, image_std: [0.5, 0.5, 0.5], do_resize: true, resample: 2 };
  return family === "llava" ? { ...numbers, size: { height: PIECE, width: PIECE } } : {
    ...numbers,
    size: { longest_edge: 2 * PIECE },
    max_image_size: { longest_edge: PIECE },
    do_image_splitting: true,
  };
}

/** Images of the last message come last, so that what follows depends on them. */
function template({ starts }: ScriptedVocabulary): string {
  return `{%- for message in messages -%}
  {%- set last = loop.last -%}
  {{- "<|im_start|>" + message.role + "\\n" -}}
  {%- if message.content is string -%}
    {{- message.content -}}
  {%- else -%}
    {%- for part in message.content -%}
      {%- if part.type == "text" -%}
        {{- part.text -}}
      {%- elif not last -%}
        {{- "${IMAGE}" -}}
      {%- endif -%}
    {%- endfor -%}
  {%- endif -%}
  {{- "${END_TOKEN}\\n" -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
  {{- "<|im_start|>assistant\\n" -}}
  {%- set seen = namespace(any=false) -%}
  {%- if messages[messages | length - 1].content is not string -%}
    {%- for part in messages[messages | length - 1].content -%}
      {%- if part.type == "image" -%}
        {%- set seen.any = true -%}
        {{- "${IMAGE}" -}}
      {%- endif -%}
    {%- endfor -%}
  {%- endif -%}
  {%- if not seen.any -%}
    {{- "${starts[starts.length - 1].token}" -}}
  {%- endif -%}
{%- endif -%}
`;
}

function embedTokens({ shape, tensor }: TransformerWeights): ReturnType<ModelBuilder["finish"]> {
  const builder = new ModelBuilder("inside");
  builder.input("input_ids", "int64", ["batch_size", "sequence_length"]);
  const table = builder.constant("float", [shape.vocabulary, shape.hidden], tensor("model.embed_tokens.weight"));
  const found = builder.node("Gather", [table, "input_ids"]);
  builder.output("inputs_embeds", "float", ["batch_size", "sequence_length", shape.hidden], found);
  return builder.finish();
}

/** `pixel_values [, pixel_attention_mask] → image_features [pieces, vectors, hidden]` */
function visionEncoder(
  vocabulary: ScriptedVocabulary,
  { shape: { hidden }, tensor }: TransformerWeights,
  family: string,
  seed: number,
): ReturnType<ModelBuilder["finish"]> {
  const builder = new ModelBuilder("inside");
  const tiled = family === "smolvlm";
  builder.input("pixel_values", "float", ["batch_size", ...tiled ? ["num_images"] : [], 3, "height", "width"]);
  if (tiled) builder.input("pixel_attention_mask", "bool", ["batch_size", "num_images", "height", "width"]);
  const pieces = builder.node("Reshape", ["pixel_values", builder.integers([-1, 3, PIECE, PIECE])]);
  // [pieces, 3]
  const mean = builder.node("ReduceMean", [pieces, builder.integers([2, 3])], { keepdims: 0 });
  const table = tensor("model.embed_tokens.weight");
  const starts = COLOURS.map((_, i) => vocabulary.ids.get(vocabulary.starts[i].token)!);
  const says = Float32Array.from(starts.flatMap((id) => [...table.subarray(id * hidden, (id + 1) * hidden)]));
  const strongest = builder.node("ArgMax", [mean], { axis: 1, keepdims: 0 });
  const colour = builder.node("Gather", [builder.constant("float", [COLOURS.length, hidden], says), strongest]);
  // [pieces, vectors, hidden]
  const patches = builder.node("Conv", [
    pieces,
    builder.constant(
      "float",
      [hidden, 3, PATCH, PATCH],
      uniform(hidden * 3 * PATCH ** 2, DETAIL, tensorRandom(seed, "patch")),
    ),
  ], { strides: [PATCH, PATCH] });
  const flat = builder.node("Reshape", [patches, builder.integers([0, hidden, VECTORS])]);
  const detail = builder.node("Transpose", [flat], { perm: [0, 2, 1] });
  const vectors = builder.node("Add", [builder.node("Unsqueeze", [colour, builder.integers([1])]), detail]);
  builder.output("image_features", "float", ["num_pieces", VECTORS, hidden], vectors);
  return builder.finish();
}
