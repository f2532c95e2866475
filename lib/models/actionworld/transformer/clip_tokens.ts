/**
 * The input of the generation stream: frames, the first of them known, then actions.
 *
 * @module
 */
import { add, concat, slice, type Value } from "../../../compute/tensor/mod.ts";
import { dense } from "../../checkpoint/dense.ts";
import type { Weights } from "../../checkpoint/weights.ts";
import type { ActionTransformerConfig } from "../config.ts";
import { domainLinear } from "./domain_linear.ts";
import { packLatents } from "./latent_tokens.ts";

/** Embedded frames and actions. */
export interface ClipTokens {
  /** Patches of all frames before the timestep is added, [F*S,D]. */
  readonly patches: Value;
  /** [A,D] */
  readonly actions: Value;
  /** The stream: frames, then actions, [F*S + A, D]. */
  readonly stream: Value;
}

/** Sinusoids [N,S] of timesteps -> embeddings [N,D]. */
export function embedTime(sinusoid: Value, weights: Weights): Value {
  return dense(dense(sinusoid, weights.at("linear_1"), "silu"), weights.at("linear_2"));
}

/** Rows of actions [A,K], K at most `action_dim` -> [A,D]. */
export function embedActions(actions: Value, domain: number, weights: Weights): Value {
  const layer = weights.at("action_proj_in");
  const embedded = domainLinear(actions, layer.get("fc.weight"), layer.get("bias.weight"), domain);
  return add(embedded, weights.in(actions.graph, "action_modality_embed"));
}

/** Latents [F,C,h,w], the first frame clean; time [1,D] is added to all other frames, which distinguishes them. */
export function clipTokens(
  latents: Value,
  time: Value,
  actions: Value,
  config: ActionTransformerConfig,
  weights: Weights,
): ClipTokens {
  const patches = dense(packLatents(latents, config.patchSize), weights.at("proj_in"));
  const perFrame = patches.shape[0] / latents.shape[0];
  const first = slice(patches, { axis: 0, end: perFrame });
  const noisy = slice(patches, { axis: 0, start: perFrame });
  return { patches, actions, stream: concat([first, add(noisy, time), actions], 0) };
}
