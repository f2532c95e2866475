/**
 * The window of keys and values over consecutive passes, in ordinary memory, as the goldens store it.
 *
 * @module
 */
import { contextBlocks, type TransformerConfig } from "../../lib/models/arworld/config.ts";
import { slideWindow } from "../../lib/models/arworld/sampling/generate_block.ts";
import type { KeysValues } from "../../lib/models/arworld/transformer/attention.ts";
import type { Tensor, Value } from "../../lib/compute/tensor/mod.ts";

interface Stored {
  readonly k: Tensor<"f32">;
  readonly v: Tensor<"f32">;
}

/** Committed blocks and the present one. Passes over the same block replace what the pass before kept of it. */
export class BlockWindow {
  readonly #capacity: number;
  readonly #layers: number;
  #context: readonly (readonly Stored[])[] = [];
  #present: readonly Stored[] | undefined;
  #block = 0;

  constructor(config: TransformerConfig, layers: number) {
    this.#capacity = contextBlocks(config);
    this.#layers = layers;
  }

  /** Blocks in the window, the present one included. */
  get blocks(): number {
    return this.#context.length + 1;
  }

  /** A pass over block `block` begins: what was kept of the block before becomes context. */
  enter(block: number): void {
    if (block !== this.#block && this.#present) {
      this.#context = slideWindow(this.#context, this.#present, this.#capacity);
      this.#present = undefined;
    }
    this.#block = block;
  }

  /** Keys and values of the present block, by layer. */
  keep(layers: readonly Stored[]): void {
    this.#present = layers;
  }

  /** The context as inputs of a graph. */
  feeds(): Record<string, Tensor<"f32">> {
    const feeds: Record<string, Tensor<"f32">> = {};
    this.#context.forEach((block, b) =>
      block.forEach(({ k, v }, layer) => {
        feeds[`k.${b}.${layer}`] = k;
        feeds[`v.${b}.${layer}`] = v;
      })
    );
    return feeds;
  }

  /** The context of a graph with {@linkcode feeds} as inputs, `[block][layer]`. */
  values(inputs: Record<string, Value>): KeysValues[][] {
    return this.#context.map((_, b) =>
      Array.from({ length: this.#layers }, (_, layer) => ({
        k: inputs[`k.${b}.${layer}`],
        v: inputs[`v.${b}.${layer}`],
      }))
    );
  }

  /** The whole cache of a layer, with zeros up to `tokens` where that is given. */
  cache(layer: number, tokens?: number): { k: Float32Array; v: Float32Array } {
    const blocks = [...this.#context, this.#present!].map((block) => block[layer]);
    const join = (parts: readonly Tensor<"f32">[]) => {
      const width = parts[0].shape[1] * parts[0].shape[2];
      const used = parts.reduce((n, t) => n + t.data.length, 0);
      const out = new Float32Array(tokens === undefined ? used : tokens * width);
      let at = 0;
      for (const t of parts) {
        out.set(t.data, at);
        at += t.data.length;
      }
      return out;
    };
    return { k: join(blocks.map((b) => b.k)), v: join(blocks.map((b) => b.v)) };
  }
}
