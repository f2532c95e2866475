/**
 * A text for a program that takes longer ones.
 *
 * @module
 */
import { f32, type Program, sizeOf, type Tensor } from "../../../compute/tensor/mod.ts";
import { cacheFeeds } from "../../world/device_state.ts";
import { UNSEEN } from "../transformer/transformer_graphs.ts";
import type { TextStream } from "./text_streams.ts";

/**
 * What a `velocityGraph` whose last slots may be empty is fed of a text: keys and values with zeros behind them, and what
 * hides these.
 *
 * @returns undefined for a program without empty slots.
 */
export async function paddedText(
  program: Program,
  { layers, length }: TextStream,
): Promise<Record<string, Tensor> | undefined> {
  const bias = program.inputs.get("textBias");
  if (!bias) return undefined;
  const feeds: Record<string, Tensor> = {};
  for (const [name, kept] of Object.entries(cacheFeeds("text", layers))) {
    const { shape } = program.inputs.get(name)!;
    const rows = new Float32Array(sizeOf(shape));
    rows.set((await kept.read()).data as Float32Array);
    feeds[name] = f32(shape, rows);
  }
  const [slots] = program.inputs.get("text.k.0")!.shape;
  feeds.textBias = f32(bias.shape, new Float32Array(sizeOf(bias.shape)).fill(UNSEEN, length, slots));
  return feeds;
}
