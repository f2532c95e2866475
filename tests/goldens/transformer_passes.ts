/**
 * Passes of the whole transformer, as the goldens of models and rollouts need them.
 *
 * @module
 */
import { embedContext, keysValues } from "../../lib/models/arworld/transformer/attention.ts";
import { embedTime, projectTime, timeModulation } from "../../lib/models/arworld/transformer/causal_block.ts";
import { transformer } from "../../lib/models/arworld/transformer/transformer.ts";
import { cameraTensors, windowRope } from "../../lib/models/arworld/transformer/window_inputs.ts";
import { timeSinusoid } from "../../lib/models/layers/dense.ts";
import type { TransformerConfig } from "../../lib/models/arworld/config.ts";
import type { Weights } from "../../lib/models/checkpoint/weights.ts";
import { type Device, f32, type Graph, type Tensor, type Value } from "../../lib/compute/tensor/mod.ts";
import { BlockWindow } from "./block_window.ts";
import { type Golden, swapFirstAxes } from "./golden.ts";
import { GraphRunner } from "./run_graph.ts";
import { intrinsicsOf, padRows } from "./transformer_inputs.ts";

/** What one pass of the whole transformer is given. */
export interface Pass {
  /** [F,z,h,w] */
  readonly latents: Tensor<"f32">;
  readonly timesteps: readonly number[];
  /** Real rows of the prompt. */
  readonly prompt: Tensor<"f32">;
  readonly views: Float32Array;
}

/** Runs passes of the whole transformer, whose keys and values it keeps in a window. */
export class TransformerPasses {
  readonly window: BlockWindow;
  readonly #golden: Golden;
  readonly #config: TransformerConfig;
  readonly #runner: GraphRunner;

  constructor(golden: Golden, device: Device, config: TransformerConfig, weights: Weights) {
    this.window = new BlockWindow(config, config.numLayers);
    this.#golden = golden;
    this.#config = config;
    this.#runner = new GraphRunner(device, (v, graph) => this.#build(v, graph, weights));
  }

  /** Runs one pass over the window's present block; `velocity` comes as the goldens store it. */
  async run({ latents, timesteps, prompt, views }: Pass): Promise<Record<string, Tensor<"f32">>> {
    const { freqDim, numLayers, textLen } = this.#config;
    const got = await this.#runner.run({
      latents,
      rows: padRows(prompt, textLen),
      sinusoid: f32([timesteps.length, freqDim], timeSinusoid(timesteps, freqDim)),
      ...cameraTensors(views, intrinsicsOf(this.#golden)),
      ...this.window.feeds(),
    });
    this.window.keep(Array.from({ length: numLayers }, (_, i) => ({ k: got[`k.${i}`], v: got[`v.${i}`] })));
    return { ...got, velocity: swapFirstAxes(got.velocity) };
  }

  dispose(): void {
    this.#runner.dispose();
  }

  #build(v: Record<string, Value>, graph: Graph, weights: Weights): Record<string, Value> {
    const config = this.#config;
    const [, , height, width] = v.latents.shape;
    const text = embedContext(v.rows, weights);
    const context = this.window.values(v);
    const layers = Array.from({ length: config.numLayers }, (_, i) => weights.at(`blocks.${i}.cross_attn`));
    const values = transformer(
      v.latents,
      {
        modulation: timeModulation(v.sinusoid, config, weights),
        past: layers.map((_, i) => context.map((block) => block[i])),
        text: layers.map((layer) => keysValues(text, layer, config.numHeads)),
        rope: windowRope(graph, config, context.length, { rows: height / 2, columns: width / 2 }),
        cameras: { p: v.p, pTransposed: v.pTransposed, pInverseTransposed: v.pInverseTransposed },
      },
      config,
      weights,
    );
    const e = embedTime(v.sinusoid, weights);
    return {
      velocity: values.velocity,
      context: text,
      e,
      e0: projectTime(e, weights),
      x_embed: values.tokens[0],
      ...Object.fromEntries(values.tokens.slice(1).map((x, i) => [`x_after_block_${i}`, x])),
      ...Object.fromEntries(values.own.flatMap(({ k, v }, i) => [[`k.${i}`, k], [`v.${i}`, v]])),
    };
  }
}
