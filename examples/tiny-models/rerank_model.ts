/**
 * A model that judges pairs of texts.
 *
 * @module
 */
import { ModelBuilder } from "../../lib/onnx/model_builder.ts";
import { jsonFile, type ModelFiles } from "./model_files.ts";
import { onnxEncoder, TINY_ENCODER } from "./onnx_encoder.ts";
import { onnxFiles } from "./onnx_files.ts";
import { PAD_TOKEN, scriptVocabulary } from "./scripted_vocabulary.ts";
import { textTokenizerFiles } from "./tokenizer_files.ts";

/** Which rerank model; everything has a default. */
export interface RerankModelOptions {
  /** 1 (the default): a score; 2: one class for texts that do not fit and one for those that do. */
  readonly labels?: 1 | 2;
  readonly seed?: number;
}

const frame = { open: "<s>", close: "</s>" };

/** Makes the files of a model whose judgement is random but always the same. Equal options give equal bytes. */
export function rerankModel({ labels = 1, seed = 1 }: RerankModelOptions = {}): ModelFiles {
  const vocabulary = scriptVocabulary([], [frame.open, frame.close]);
  const shape = { ...TINY_ENCODER, vocabulary: vocabulary.tokens.length };
  const builder = new ModelBuilder("inside");
  const { hidden, dense } = onnxEncoder(builder, shape, seed, true);
  const first = builder.node("Gather", [hidden, builder.constant("int64", [], new BigInt64Array(1))], { axis: 1 });
  const pooled = builder.node("Tanh", [dense(first, "pooler", shape.hidden, shape.hidden)]);
  builder.output("logits", "float", ["batch_size", labels], dense(pooled, "classifier", labels, shape.hidden));
  return {
    "config.json": jsonFile({
      architectures: ["BertForSequenceClassification"],
      model_type: "bert",
      hidden_size: shape.hidden,
      intermediate_size: shape.ffn,
      num_hidden_layers: shape.layers,
      num_attention_heads: shape.heads,
      vocab_size: shape.vocabulary,
      max_position_embeddings: shape.context,
      type_vocab_size: 2,
      id2label: Object.fromEntries(Array.from({ length: labels }, (_, i) => [i, `LABEL_${i}`])),
      pad_token_id: vocabulary.ids.get(PAD_TOKEN),
    }),
    ...textTokenizerFiles(vocabulary, frame, shape.context),
    ...onnxFiles("onnx/model.onnx", builder.finish()),
  };
}
