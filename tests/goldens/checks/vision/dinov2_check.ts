/**
 * Checks of the vision transformer DINOv2.
 *
 * @module
 */
import { DINOV2_EPS, type DinoV2Config } from "../../../../lib/models/vision_transformer/dinov2_config.ts";
import { embedPatches, positionTable } from "../../../../lib/models/vision_transformer/patch_tokens.ts";
import {
  splitClass,
  visionBlock,
  visionFeatures,
  visionTokens,
} from "../../../../lib/models/vision_transformer/dinov2.ts";
import { type Device, reshape, type Value } from "../../../../lib/compute/tensor/mod.ts";
import { asNumber, type Golden } from "../../golden.ts";
import { runGraph } from "../../run_graph.ts";

export function dinoV2Config(c: Record<string, unknown>): DinoV2Config {
  const dim = asNumber("dim", c.dim);
  return {
    dim,
    depth: asNumber("depth", c.depth),
    heads: asNumber("heads", c.heads),
    hidden: 4 * dim,
    patch: 14,
    grid: asNumber("pos_grid", c.pos_grid),
  };
}

export async function checkDinoV2(golden: Golden, device: Device): Promise<void> {
  const config = dinoV2Config(golden.config);
  const weights = golden.weights();
  const take = golden.config.take as number[];
  for (const name of ["a", "b"]) {
    const image = golden.input(name);
    const [, height, width] = image.shape;
    const grid = { rows: height / config.patch, columns: width / config.patch };
    const positions = positionTable(weights.get("pos_embed"), grid, "offset");
    golden.compare(`${name}.pos`, positions.data, 2e-6);
    if (golden.has(`out.${name}.pos_size_rule`)) {
      golden.compare(`${name}.pos_size_rule`, positionTable(weights.get("pos_embed"), grid, "size").data, 2e-6);
    }
    const outputs = await runGraph(device, { image }, ({ image }) => {
      const images = reshape(image, [1, 3, height, width]);
      const outputs: Record<string, Value> = {
        patch_embed: embedPatches(images, weights.at("patch_embed.proj")),
        tokens: visionTokens(images, weights, positions),
      };
      const options = { heads: config.heads, eps: DINOV2_EPS };
      const block0 = visionBlock(outputs.tokens, weights.at("blocks.0"), options);
      outputs.block0 = block0.output;
      let last = block0.output;
      for (let i = 1; i < config.depth; i++) last = visionBlock(last, weights.at(`blocks.${i}`), options).output;
      outputs.last_unnormed = splitClass(last).patches;
      if (golden.has(`out.${name}.block0.attn`)) {
        outputs["block0.attn"] = block0.attended;
        outputs["block0.after_attn"] = block0.afterAttention;
        outputs["block0.mlp"] = block0.mlp;
      }
      visionFeatures(images, config, weights, positions, take).forEach(({ patches, classToken }, i) => {
        outputs[`patches.${take[i]}`] = patches;
        outputs[`class.${take[i]}`] = classToken;
      });
      return outputs;
    });
    for (const [part, t] of Object.entries(outputs)) {
      golden.compare(`${name}.${part}`, t.data, part === "tokens" || part === "patch_embed" ? 2e-5 : 4e-5);
    }
  }
}
