import { test } from "node:test";
import assert from "node:assert/strict";
import { parseActionworldConfig } from "../../../lib/models/actionworld/parse_config.ts";
import { tinyRootConfig, tinyTransformerConfig, tinyVaeConfig } from "../../support/tiny_actionworld.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const tiny = { root: tinyRootConfig, transformer: tinyTransformerConfig, vae: tinyVaeConfig };

function problemsOf(configs: Partial<Record<keyof typeof tiny, unknown>>): readonly string[] {
  try {
    parseActionworldConfig({ ...tiny, ...configs });
  } catch (error) {
    assert.ok(error instanceof SvcError, String(error));
    return error.problems;
  }
  return [];
}

const transformer = (changes: object) => problemsOf({ transformer: { ...tinyTransformerConfig, ...changes } });

test("parseActionworldConfig() reads all three files and their defaults", () => {
  const { config, vision } = parseActionworldConfig(tiny);
  assert.deepEqual(config.transformer.ropeAxes, [2, 1, 1]);
  assert.deepEqual([config.defaultWidth, config.defaultHeight, config.defaultFps, config.defaultSteps], [48, 32, 8, 2]);
  assert.equal(config.defaultPrompt, undefined);
  assert.deepEqual([vision.patchNumbers, vision.projector.merged, vision.projector.normAfterMerge], [12, 4, false]);
  const { temporal_compression_factor: _, ...rest } = tinyTransformerConfig;
  assert.equal(parseActionworldConfig({ ...tiny, transformer: rest }).config.transformer.framesPerLatent, 4);
});

test("parseActionworldConfig() names every wrong field of every file", () => {
  const problems = problemsOf({
    root: { ...tinyRootConfig, default_width: 40 },
    transformer: { ...tinyTransformerConfig, hidden_act: "silu", num_hidden_layers: 0 },
    vae: { ...tinyVaeConfig, latents_std: [1, 1, 1, 0] },
  });
  assert.equal(problems.length, 4, problems.join("\n"));
  assert.match(problems[0], /^config\.json: default_width is 40/);
  assert.match(problems[1], /^transformer\/config\.json: num_hidden_layers is 0/);
  assert.match(problems[2], /^transformer\/config\.json: hidden_act is "silu", expected "relu2"$/);
  assert.match(problems[3], /^vae\/config\.json: latents_std\.3 is 0/);
});

test("parseActionworldConfig() refuses numbers that do not fit together", () => {
  assert.match(transformer({ head_dim: 16 })[0], /hidden_size is 32, expected 64/);
  assert.match(transformer({ num_key_value_heads: 3 })[0], /num_key_value_heads is 3, expected a divisor/);
  assert.match(transformer({ rope_axes_dim: [1, 1, 1] })[0], /rope_axes_dim is \[1,1,1\], expected three numbers/);
  assert.match(transformer({ patch_latent_dim: 17 })[0], /patch_latent_dim is 17, expected 16/);
  assert.match(transformer({ latent_channel: 8, patch_latent_dim: 32 })[0], /z_dim is 4, expected 8/);
  assert.match(transformer({ action_dim: 8 })[0], /action_dim is 8/);
  assert.match(transformer({ num_embodiment_domains: 2 })[0], /num_embodiment_domains is 2/);
  const projector_config = { ...tinyRootConfig.projector_config, input_hidden_size: 9 };
  assert.match(problemsOf({ root: { ...tinyRootConfig, projector_config } })[0], /input_hidden_size is 9, expected 8/);
  assert.match(problemsOf({ vae: { ...tinyVaeConfig, latents_mean: [0] } })[0], /the length of latents_mean is 1/);
});

test("parseActionworldConfig() refuses anything but an object", () => {
  const files = ["config.json", "transformer/config.json", "vae/config.json"];
  assert.deepEqual(
    problemsOf({ root: null, transformer: 1, vae: "vae" }).map((problem) => problem.split(", expected")[0]),
    files.map((file, i) => `${file}: the file is ${["null", "1", '"vae"'][i]}`),
  );
});
