import { test } from "node:test";
import assert from "node:assert/strict";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import {
  byteSource,
  encodeSafetensors,
  f32,
  openSafetensors,
  type Tensor,
  toHalf,
} from "../../../lib/compute/tensor/mod.ts";
import { json, memoryRoot, type RootFiles, tinyArworld, tinyCausalConfig } from "../../support/tiny_arworld.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const load = ({ base, causal }: { base: RootFiles; causal: RootFiles }) =>
  loadArworld(memoryRoot("base", base), memoryRoot("causal", causal));

async function problemsOf(files: { base: RootFiles; causal: RootFiles }): Promise<readonly string[]> {
  const error = await load(files).then(() => undefined, (e: unknown) => e);
  assert.ok(error instanceof SvcError, String(error));
  for (const problem of error.problems) assert.ok(error.message.includes(problem));
  return error.problems;
}

/** Decodes, changes and encodes the tensors of a file. */
async function editTensors(
  files: RootFiles,
  name: string,
  edit: (tensors: Map<string, Tensor>) => void,
): Promise<void> {
  const file = await openSafetensors(name, byteSource(files.get(name)!));
  const tensors = new Map<string, Tensor>();
  for (const key of file.tensors.keys()) tensors.set(key, await file.read(key));
  edit(tensors);
  files.set(name, encodeSafetensors(tensors));
}

test("loadArworld() reads configuration, tokenizer and all weights and reports progress", async () => {
  const { base, causal } = tinyArworld();
  const fractions: number[] = [];
  const model = await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal), {
    onProgress: (fraction) => fractions.push(fraction),
  });
  assert.equal(model.config.transformer.dim, 16);
  assert.deepEqual(model.transformer.get("head.modulation").shape, [1, 2, 16]);
  assert.deepEqual(model.vae.get("conv2.weight").shape, [4, 4, 1, 1, 1]);
  assert.deepEqual(model.textEncoder.get("token_embedding.weight").shape, [8, 8]);
  assert.ok((model.tokenizer as { model: unknown }).model);
  assert.equal(fractions.at(-1), 1);
  assert.ok(fractions.every((f, i) => i === 0 || f > fractions[i - 1]));
});

test("loadArworld() names every missing file at once", async () => {
  const files = tinyArworld();
  files.base.delete("vae.safetensors");
  files.base.delete("tokenizer.json");
  files.causal.clear();
  assert.deepEqual(await problemsOf(files), [
    "causal/config.json is missing",
    "base/tokenizer.json is missing",
    "base/vae.safetensors is missing",
    "causal/model.safetensors is missing",
  ]);
});

test("loadArworld() names every missing and misshaped tensor of all files at once", async () => {
  const files = tinyArworld();
  await editTensors(files.causal, "model.safetensors", (tensors) => {
    tensors.delete("blocks.1.ffn.0.weight");
    tensors.set("head.head.bias", f32([3], [0, 0, 0]));
  });
  await editTensors(files.base, "vae.safetensors", (tensors) => tensors.delete("conv1.bias"));
  await editTensors(files.base, "t5_encoder.safetensors", (tensors) => tensors.delete("norm.weight"));
  assert.deepEqual(await problemsOf(files), [
    'base/vae.safetensors lacks tensor "conv1.bias" [8]',
    'base/t5_encoder.safetensors lacks tensor "norm.weight" [8]',
    'causal/model.safetensors lacks tensor "blocks.1.ffn.0.weight" [24,16]',
    'causal/model.safetensors has tensor "head.head.bias" with shape [3], expected [16]',
  ]);
});

test("loadArworld() names the file when it is truncated or damaged", async () => {
  for (const length of [0, 5, 100, -1]) {
    const files = tinyArworld();
    const whole = files.causal.get("model.safetensors")!;
    files.causal.set("model.safetensors", whole.slice(0, length < 0 ? whole.length + length : length));
    const problems = await problemsOf(files);
    assert.equal(problems.length, 1);
    assert.match(problems[0], /causal\/model\.safetensors/);
  }
});

test("loadArworld() names the configuration file when it is not JSON", async () => {
  const files = tinyArworld();
  files.base.set("config.json", new TextEncoder().encode("{"));
  assert.deepEqual(await problemsOf(files), ["base/config.json is not JSON"]);
});

test("loadArworld() accepts 16-bit weights and per-channel vectors without axes of size 1", async () => {
  const files = tinyArworld();
  await editTensors(files.base, "vae.safetensors", (tensors) => {
    for (const [name, t] of tensors) {
      const shape = name.endsWith("gamma") ? t.shape.slice(0, 1) : t.shape;
      tensors.set(name, toHalf({ ...t, shape }));
    }
  });
  const { vae } = await load(files);
  assert.equal(vae.get("encoder.head.0.gamma").dtype, "f16");
  assert.deepEqual(vae.get("encoder.head.0.gamma").shape, [4 * 2]);
});

test("loadArworld() reads weights that an index spreads over several files", async () => {
  const files = tinyArworld();
  const file = await openSafetensors("model", byteSource(files.causal.get("model.safetensors")!));
  const shards: Map<string, Tensor>[] = [new Map(), new Map()];
  const weightMap: Record<string, string> = {};
  for (const [i, name] of [...file.tensors.keys()].entries()) {
    shards[i % 2].set(name, await file.read(name));
    weightMap[name] = `part-${i % 2}.safetensors`;
  }
  files.causal.delete("model.safetensors");
  files.causal.set("model.safetensors.index.json", json({ weight_map: weightMap }));
  files.causal.set("part-0.safetensors", encodeSafetensors(shards[0]));
  assert.match((await problemsOf(files))[0], /part-1\.safetensors is missing/);
  files.causal.set("part-1.safetensors", encodeSafetensors(shards[1]));
  assert.ok((await load(files)).transformer.has("blocks.1.modulation"));
});

test("loadArworld() accepts the transformer's configuration at the top level with in_dim", async () => {
  const files = tinyArworld();
  files.causal.set("config.json", json({ ...tinyCausalConfig.dit, in_dim: 4, out_dim: 4, model_type: "ti2v" }));
  assert.equal((await load(files)).config.colorStrength, 0);
});

test("loadArworld() stops when the signal aborts", async () => {
  const { base, causal } = tinyArworld();
  const abort = new AbortController();
  const loading = loadArworld(memoryRoot("base", base), memoryRoot("causal", causal), {
    signal: abort.signal,
    onProgress: () => abort.abort(new Error("enough")),
  });
  await assert.rejects(loading, /enough/);
});
