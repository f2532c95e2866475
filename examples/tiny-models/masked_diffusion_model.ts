/**
 * A chat model that fills in masked tokens in any order.
 *
 * @module
 */
import { ModelBuilder } from "../../lib/onnx/model_builder.ts";
import { elementTypes } from "../../lib/onnx/onnx_messages.ts";
import { jsonFile, type ModelFiles } from "./model_files.ts";
import { onnxEncoder, places, TINY_ENCODER } from "./onnx_encoder.ts";
import { onnxFiles } from "./onnx_files.ts";
import { DEFAULT_ANSWERS, type ScriptedAnswer } from "./scripted_answers.ts";
import { END_TOKEN, PAD_TOKEN, type ScriptedVocabulary, scriptVocabulary } from "./scripted_vocabulary.ts";
import { chatTokenizerFiles } from "./tokenizer_files.ts";
import { tensorRandom, uniform } from "./transformer_weights.ts";

/** Which masked diffusion model; everything has a default. */
export interface MaskedDiffusionModelOptions {
  /** {@linkcode DEFAULT_ANSWERS} when left out. */
  readonly script?: readonly ScriptedAnswer[];
  readonly seed?: number;
}

/** What the model fills in. */
const MASK_TOKEN = "<|mask|>";

/** How far a script goes; behind its end there are only end tokens. */
const LENGTH = 512;

/** Logit of the token of the script, more or less for each place: so places are filled in some order. */
const WANTED = { least: 12, most: 24 };

/** How much the random part counts. */
const NOISE = 0.25;

/**
 * Makes the files of a model in the manner of LLaDA ("Large Language Diffusion Models", Nie et al. 2025):
 * `input_ids, attention_mask → logits` for every place, in both directions. Each place knows how far it is behind the
 * token that starts an answer, and so what stands there. Equal options give equal bytes.
 *
 * @throws {RangeError} for answers that cannot be told apart.
 */
export function maskedDiffusionModel(options: MaskedDiffusionModelOptions = {}): ModelFiles {
  const { script = DEFAULT_ANSWERS, seed = 1 } = options;
  const vocabulary = scriptVocabulary(script, [MASK_TOKEN]);
  const size = vocabulary.tokens.length;
  const shape = { ...TINY_ENCODER, vocabulary: size, context: 2048 };
  const builder = new ModelBuilder("inside");
  const { hidden, dense } = onnxEncoder(builder, shape, seed, false);
  const noise = builder.node("Mul", [dense(hidden, "head", size, shape.hidden), builder.scalar(NOISE)]);
  const logits = builder.node("Add", [noise, scriptLogits(builder, vocabulary, seed)]);
  builder.output("logits", "float", ["batch_size", "sequence_length", size], logits);
  const [end, pad, mask] = [END_TOKEN, PAD_TOKEN, MASK_TOKEN].map((token) => vocabulary.ids.get(token)!);
  return {
    "config.json": jsonFile({
      architectures: ["LLaDAModelLM"],
      model_type: "llada",
      hidden_size: shape.hidden,
      num_hidden_layers: shape.layers,
      num_attention_heads: shape.heads,
      vocab_size: size,
      max_position_embeddings: shape.context,
      mask_token_id: mask,
      eos_token_id: end,
      pad_token_id: pad,
    }),
    "generation_config.json": jsonFile({ eos_token_id: end, pad_token_id: pad, mask_token_id: mask }),
    ...chatTokenizerFiles(vocabulary, shape.context),
    ...onnxFiles("onnx/model.onnx", builder.finish()),
  };
}

/** What the script says at each place, [batch, sequence, vocabulary]: a lookup by answer and distance. */
function scriptLogits(builder: ModelBuilder, vocabulary: ScriptedVocabulary, seed: number): string {
  const starts = [...new Set(vocabulary.starts.flatMap(({ token, plain }) => [token, plain]))];
  const size = vocabulary.tokens.length;
  const end = vocabulary.ids.get(END_TOKEN)!;
  // Rows of the script: the first is that of texts without a start, where nothing is wanted.
  const said = new BigInt64Array((starts.length + 1) * LENGTH).fill(BigInt(size));
  const rows = new BigInt64Array(size);
  starts.forEach((start, i) => {
    let token = vocabulary.ids.get(start)!;
    rows[token] = BigInt(i + 1);
    for (let place = 0; place < LENGTH; place++) {
      token = vocabulary.next.get(token) ?? end;
      said[(i + 1) * LENGTH + place] = BigInt(token);
    }
  });
  const integer = (value: number): string => builder.constant("int64", [], BigInt64Array.of(BigInt(value)));
  const row = builder.node("Gather", [builder.constant("int64", [size], rows), "input_ids"]);
  const place = places(builder);
  const begun = builder.node("Cast", [row], { to: elementTypes.bool });
  const begins = builder.node("Where", [begun, place, integer(-1)]);
  // The last start counts: an earlier answer may have brought its own.
  const last = builder.node("ReduceMax", [begins, builder.integers([1])]);
  const here = builder.node("Where", [builder.node("Equal", [place, last]), row, integer(0)]);
  const answer = builder.node("ReduceMax", [here, builder.integers([1])]);
  const distance = builder.node("Sub", [builder.node("Sub", [place, last]), integer(1)]);
  const within = builder.node("Clip", [distance, integer(0), integer(LENGTH - 1)]);
  const index = builder.node("Add", [builder.node("Mul", [answer, integer(LENGTH)]), within]);
  const wanted = builder.node("Gather", [builder.constant("int64", [said.length], said), index]);
  const { least, most } = WANTED;
  const strength = uniform(said.length, (most - least) / 2, tensorRandom(seed, "strength"))
    .map((value) => value + (most + least) / 2);
  const factor = builder.node("Gather", [builder.constant("float", [said.length], strength), index]);
  const chosen = builder.node("OneHot", [wanted, integer(size), builder.constant("float", [2], Float32Array.of(0, 1))]);
  return builder.node("Mul", [chosen, builder.node("Unsqueeze", [factor, builder.integers([2])])]);
}
