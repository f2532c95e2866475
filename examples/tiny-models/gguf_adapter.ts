/**
 * A LoRA adapter ("LoRA: Low-Rank Adaptation of Large Language Models", Hu et al. 2021) for a scripted model.
 *
 * @module
 */
import { ggufFile } from "./gguf_file.ts";
import type { ModelFiles } from "./model_files.ts";
import { DEFAULT_ANSWERS, type ScriptedAnswer } from "./scripted_answers.ts";
import { scriptVocabulary } from "./scripted_vocabulary.ts";
import { scriptedWeights } from "./scripted_weights.ts";
import { TINY_SHAPE } from "./transformer_weights.ts";

/** Which answers of which model. */
export interface GgufAdapterOptions {
  /** Places of answers in the script: the second one is given where the model would give the first one. */
  readonly from: number;
  readonly to: number;
  /** Of the model; {@linkcode DEFAULT_ANSWERS} when left out. */
  readonly script?: readonly ScriptedAnswer[];
  readonly seed?: number;
}

/** Makes an adapter of rank 1 for the head of {@linkcode ggufChatModel}'s model with the same script and seed. */
export function ggufAdapter({ from, to, script = DEFAULT_ANSWERS, seed = 1 }: GgufAdapterOptions): ModelFiles {
  const vocabulary = scriptVocabulary(script);
  const { shape, tensor } = scriptedWeights(vocabulary, TINY_SHAPE, seed);
  const { hidden } = shape;
  const firstOf = (answer: number): number =>
    vocabulary.next.get(vocabulary.ids.get(vocabulary.starts[answer].plain)!)!;
  const [old, wanted] = [firstOf(from), firstOf(to)];
  // What the head looks for when it chooses the old first token also speaks for the new one, twice as loud.
  const direction = tensor("lm_head.weight").slice(old * hidden, (old + 1) * hidden);
  const raised = new Float32Array(shape.vocabulary);
  raised[wanted] = 2;
  const metadata = {
    "general.architecture": "qwen2",
    "general.type": "adapter",
    "adapter.type": "lora",
    "adapter.lora.alpha": { float32: 1 },
  };
  return {
    "tiny-adapter.gguf": ggufFile(metadata, [
      { name: "output.weight.lora_a", shape: [1, hidden], format: "f32", data: () => direction },
      { name: "output.weight.lora_b", shape: [shape.vocabulary, 1], format: "f32", data: () => raised },
    ]),
  };
}
