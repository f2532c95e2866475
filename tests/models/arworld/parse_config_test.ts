import { test } from "node:test";
import assert from "node:assert/strict";
import { contextBlocks } from "../../../lib/models/arworld/config.ts";
import { parseArworldConfig } from "../../../lib/models/arworld/parse_config.ts";
import { tinyBaseConfig, tinyCausalConfig } from "../../support/tiny_arworld.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

function problemsOf(base: unknown, causal: unknown): readonly string[] {
  try {
    parseArworldConfig(base, causal);
  } catch (error) {
    assert.ok(error instanceof SvcError, String(error));
    return error.problems;
  }
  return [];
}

test("parseArworldConfig() takes every number from the files", () => {
  const config = parseArworldConfig({ ...tinyBaseConfig, default_prompt: "a hall" }, tinyCausalConfig);
  assert.deepEqual(config.vae.dimMult, [1, 2, 2, 2]);
  assert.equal(config.textEncoder.numBuckets, 8);
  assert.equal(config.transformer.attnCompress, 2);
  assert.equal(config.transformer.windowFrames, 12);
  assert.equal(contextBlocks(config.transformer), 3);
  assert.deepEqual([config.defaultWidth, config.defaultHeight, config.defaultFps], [64, 32, 8]);
  assert.equal(config.defaultPrompt, "a hall");
  assert.equal(config.colorStrength, 0.5);
});

test("parseArworldConfig() takes patches of 2x2 and 4x4 pixels", () => {
  const patches = (patch_size: number) => ({ ...tinyBaseConfig, vae: { ...tinyBaseConfig.vae, patch_size } });
  for (const size of [2, 4]) assert.equal(parseArworldConfig(patches(size), tinyCausalConfig).vae.patchSize, size);
  assert.match(problemsOf(patches(3), tinyCausalConfig)[0], /^base config.json: vae.patch_size is 3/);
});

test("parseArworldConfig() names every wrong field of both files at once", () => {
  const base = {
    ...tinyBaseConfig,
    vae: { ...tinyBaseConfig.vae, dim: "4" },
    latents_std: [1, 0, 1, 1],
    default_width: 33,
  };
  const causal = { dit: { ...tinyCausalConfig.dit, num_heads: 0, sink_size: 6 }, color_strength: 2 };
  const problems = problemsOf(base, causal);
  assert.equal(problems.length, 6);
  for (const field of ["vae.dim is", "latents_std.1 is", "default_width is", "dit.num_heads is", "dit.sink_size is"]) {
    assert.ok(problems.some((p) => p.includes(field)), `${field}: ${problems.join("\n")}`);
  }
  assert.ok(problems.some((p) => p.startsWith("causal config.json: color_strength is 2")));
});

test("parseArworldConfig() names fields that do not fit together", () => {
  const base = { ...tinyBaseConfig, latents_mean: [0], vae: { ...tinyBaseConfig.vae, temperal_downsample: [true] } };
  const causal = { dit: { ...tinyCausalConfig.dit, text_dim: 9, num_heads: 3, z_dim: 5 } };
  const problems = problemsOf(base, causal).join("\n");
  for (
    const field of ["temperal_downsample", "latents_mean", "text_dim is 9", "dim is 16", "in_dim is 5", "attn_compress"]
  ) {
    assert.ok(problems.includes(field), `${field}: ${problems}`);
  }
});

test("parseArworldConfig() rejects files that are not objects", () => {
  for (const wrong of [null, [], 3, "x"]) assert.ok(problemsOf(wrong, wrong).length >= 2);
});

test("parseArworldConfig() takes statistics of one kind of pictures and of several, and names what is wrong in which", () => {
  const numbers = Array(24).fill(1); // six features of each of the four channels
  const known = { mean: numbers, std: numbers, basis: [numbers], variance: [2], rest: 0.5, limit: 3 };
  const base = (latents: unknown) => ({ ...tinyBaseConfig, knows: { what: "halls", latents } });
  assert.deepEqual(parseArworldConfig(base(known), tinyCausalConfig).knownLatents, [known]);
  assert.deepEqual(parseArworldConfig(base([known, known]), tinyCausalConfig).knownLatents, [known, known]);
  assert.equal(parseArworldConfig(base(undefined), tinyCausalConfig).knownLatents, undefined);

  assert.deepEqual(problemsOf(base({ ...known, limit: 0 }), tinyCausalConfig).map((p) => p.slice(0, 42)), [
    "base config.json: knows.latents.limit is 0",
  ]);
  assert.match(
    problemsOf(base([known, { ...known, rest: "1" }]), tinyCausalConfig)[0],
    /: knows\.latents\.1\.rest is "1"/,
  );
  assert.match(problemsOf(base([]), tinyCausalConfig)[0], /: knows\.latents is 0, expected >=1/);
  assert.deepEqual(problemsOf(base([known, { ...known, std: [1], variance: [1, 2] }]), tinyCausalConfig), [
    "base config.json: knows.latents.1.std has 1 numbers, expected 24, the features of vae.z_dim 4",
    "base config.json: knows.latents.1.variance has 2 numbers, expected 1, one for each basis",
  ]);
});
