/**
 * Check of our tables of weights against the names and sizes of the released FLUX.2 klein 4B in `names.json`.
 *
 * @module
 */
import * as v from "valibot";
import type { TensorShapes } from "../../../lib/models/checkpoint/weights.ts";
import { parseFlux2Config } from "../../../lib/models/flux2/parse_config.ts";
import { flux2TransformerShapes, flux2VaeShapes } from "../../../lib/models/flux2/config.ts";
import { qwen3Shapes } from "../../../lib/models/qwen3/config.ts";
import { sameShape, type Shape } from "../../../lib/compute/tensor/mod.ts";
import type { Comparison } from "../golden.ts";

const component = v.object({
  table: v.array(v.object({ name: v.string(), size: v.array(v.number()) })),
});

const fileSchema = v.object({
  folders: v.record(v.string(), v.unknown()),
  pipeline: v.object({ layers_needed: v.number() }),
  components: v.object({ transformer: component, text_encoder: component, vae: component }),
});

/** Letters that stand for the number of a block, and how many blocks there are. */
const counters: Readonly<Record<string, number>> = { i: 5, j: 20, k: 36 };

/** Every name and shape of the file is in our table and the other way round. */
export function checkImageNames(json: unknown): Comparison[] {
  const { folders, components, pipeline } = v.parse(fileSchema, json);
  const config = parseFlux2Config({
    index: folders["model_index.json"],
    textEncoder: folders["text_encoder/config.json"],
    transformer: folders["transformer/config.json"],
    vae: folders["vae/config.json"],
    scheduler: folders["scheduler/scheduler_config.json"],
  });
  const deepest = Math.max(...config.textStates);
  const comparisons: Comparison[] = [
    { name: "layers_needed", maxAbs: Math.abs(deepest - pipeline.layers_needed), tolerance: 0 },
  ];
  const compare = (part: string, ours: TensorShapes, theirs: ReadonlyMap<string, Shape>) => {
    for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
      const equal = sameShape(ours.get(name) ?? [-1], theirs.get(name) ?? [-2]);
      comparisons.push({ name: `${part} ${name}`, maxAbs: equal ? 0 : Infinity, tolerance: 0 });
    }
  };
  compare("transformer", flux2TransformerShapes(config.transformer), expand(components.transformer.table));
  compare("text_encoder", qwen3Shapes(config.textEncoder), expand(components.text_encoder.table));
  const vae = expand(components.vae.table);
  // A counter of the training that nothing reads.
  vae.delete("bn.num_batches_tracked");
  compare("vae", flux2VaeShapes(config.vae), vae);
  return comparisons;
}

function expand(table: readonly { readonly name: string; readonly size: Shape }[]): Map<string, Shape> {
  return new Map(table.flatMap(({ name, size }) => {
    const letter = /\{(\w)\}/.exec(name)?.[1];
    if (!letter) return [[name, size] as const];
    return Array.from({ length: counters[letter] }, (_, n) => [name.replace(`{${letter}}`, `${n}`), size] as const);
  }));
}
