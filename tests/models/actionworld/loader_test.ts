import { test } from "node:test";
import assert from "node:assert/strict";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { byteSource, encodeSafetensors, f32, openSafetensors, type Tensor } from "../../../lib/compute/tensor/mod.ts";
import { json, memoryRoot, type RootFiles } from "../../support/tiny_arworld.ts";
import { tinyActionworld, tinyTransformerConfig, tinyVaeConfig } from "../../support/tiny_actionworld.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";

const SHARDS = ["00001", "00002"].map((n) => `transformer/diffusion_pytorch_model-${n}-of-00002.safetensors`);
const VAE = "vae/diffusion_pytorch_model.safetensors";

const load = (files: RootFiles) => loadActionworld(memoryRoot("world", files));

async function problemsOf(files: RootFiles): Promise<readonly string[]> {
  const error = await load(files).then(() => undefined, (e) => e);
  assert.ok(error instanceof SvcError, String(error));
  return error.problems;
}

async function editTensors(files: RootFiles, name: string, edit: (tensors: Map<string, Tensor>) => void) {
  const file = await openSafetensors(name, byteSource(files.get(name)!));
  const tensors = new Map<string, Tensor>();
  for (const key of file.tensors.keys()) tensors.set(key, await file.read(key));
  edit(tensors);
  files.set(name, encodeSafetensors(tensors));
}

test("loadActionworld() reads what a transition needs, by the names in the code", async () => {
  const { config, transformer, vae, tokenizer } = await load(tinyActionworld());
  assert.deepEqual([config.transformer.numKeyHeads, config.vae.zDim, config.defaultSteps], [2, 4, 2]);
  assert.deepEqual(transformer.get("layers.1.self_attn.k_norm_und_for_gen.weight").shape, [8]);
  assert.deepEqual(vae.get("decoder.upsamples.0.upsamples.0.residual.2.weight").shape, [8, 8, 3, 3, 3]);
  assert.equal((tokenizer as { model: { type: string } }).model.type, "BPE");
});

test("loadActionworld() never reads what no transition runs", async () => {
  const files = tinyActionworld();
  const { transformer } = await load(files);
  for (const name of ["lm_head.weight", "action_proj_out.fc.weight", "norm.weight"]) assert.ok(!transformer.has(name));
  const read: string[] = [];
  const root = memoryRoot("world", files);
  await loadActionworld({
    name: "world",
    async open(file) {
      const source = await root.open(file);
      return source && {
        size: source.size,
        read(offset, length) {
          // A header is read first: 8 bytes of its length, then itself.
          if (offset > 8) read.push(file);
          return source.read(offset, length);
        },
      };
    },
  });
  assert.deepEqual([...new Set(read)].sort(), [...SHARDS, VAE].sort());
});

test("loadActionworld() names every missing file at once", async () => {
  assert.deepEqual(await problemsOf(new Map()), [
    "world/config.json is missing",
    "world/transformer/config.json is missing",
    "world/vae/config.json is missing",
    "world/scheduler/scheduler_config.json is missing",
    "world/tokenizer.json is missing",
    "world/transformer/diffusion_pytorch_model.safetensors is missing",
    "world/vae/diffusion_pytorch_model.safetensors is missing",
    "world/vision_encoder/model.safetensors is missing",
  ]);
});

test("loadActionworld() names every missing shard", async () => {
  const files = tinyActionworld();
  for (const shard of SHARDS) files.delete(shard);
  assert.deepEqual(await problemsOf(files), SHARDS.map((shard) => `world/${shard} is missing`));
});

test("loadActionworld() names every tensor that is missing or has another shape, of the parts that never run too", async () => {
  const files = tinyActionworld();
  await editTensors(files, VAE, (tensors) => tensors.delete("quant_conv.bias"));
  await editTensors(files, "vision_encoder/model.safetensors", (tensors) => {
    tensors.set("model.projector.norm.bias", f32([3], [0, 0, 0]));
    tensors.delete("model.visual.post_layernorm.weight");
  });
  assert.deepEqual(await problemsOf(files), [
    'world/vae/diffusion_pytorch_model.safetensors lacks tensor "quant_conv.bias" [8]',
    'world/vision_encoder/model.safetensors lacks tensor "model.visual.post_layernorm.weight" [8]',
    'world/vision_encoder/model.safetensors has tensor "model.projector.norm.bias" with shape [3], expected [8]',
  ]);
});

test("loadActionworld() names tensors that the index does not list", async () => {
  const files = tinyActionworld();
  const name = "transformer/diffusion_pytorch_model.safetensors.index.json";
  const index = JSON.parse(new TextDecoder().decode(files.get(name)));
  delete index.weight_map["proj_out.bias"];
  files.set(name, json(index));
  assert.deepEqual(await problemsOf(files), [`world/${name} lacks tensor "proj_out.bias" [16]`]);
});

test("loadActionworld() passes on what is wrong with the configurations", async () => {
  const files = tinyActionworld();
  files.set("transformer/config.json", json({ ...tinyTransformerConfig, hidden_size: 30 }));
  assert.deepEqual(await problemsOf(files), [
    "transformer/config.json: hidden_size is 30, expected 32: num_attention_heads * head_dim",
  ]);
  files.set("vae/config.json", json({ ...tinyVaeConfig, z_dim: 6 }));
  const problems = await problemsOf(files);
  assert.ok(problems.includes("vae/config.json: z_dim is 6, expected 4, the latent_channel"), problems.join("\n"));
});

test("loadActionworld() takes tokenizer and chat template from their own folder where there is one", async () => {
  const files = tinyActionworld();
  files.set("text_tokenizer/tokenizer.json", files.get("tokenizer.json")!);
  files.delete("tokenizer.json");
  assert.equal((await load(files)).chatTemplate, undefined);
  files.set("text_tokenizer/chat_template.jinja", new TextEncoder().encode("{{ messages[0].content }}"));
  const { tokenizer, chatTemplate } = await load(files);
  assert.ok(tokenizer);
  assert.equal(chatTemplate, "{{ messages[0].content }}");
  files.set("tokenizer.json", json({}));
  files.set("text_tokenizer/tokenizer.json", new TextEncoder().encode("{"));
  assert.deepEqual(await problemsOf(files), ["world/text_tokenizer/tokenizer.json is not JSON"]);
});

test("loadActionworld() stops when the signal aborts", async () => {
  const abort = new AbortController();
  const loading = loadActionworld(memoryRoot("world", tinyActionworld()), {
    signal: abort.signal,
    onProgress: () => abort.abort(new Error("enough")),
  });
  await assert.rejects(loading, /enough/);
});
