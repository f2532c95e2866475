import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pullCatalogWorld } from "../../lib/store/worlds/pull_catalog_world.ts";
import { peakBytes, type PlannedPart } from "../../lib/store/worlds/pull_world.ts";
import { type Hub, openHub } from "../../lib/store/hub.ts";
import { WORLD_CATALOG } from "../../lib/store/worlds/world_catalog.ts";
import { pullModel, type PullModelOptions } from "../../lib/store/pull_by_name.ts";
import { modelRoot } from "../../lib/world/plan/model_root.ts";
import { openSafetensors, toFloat32 } from "../../lib/compute/tensor/mod.ts";
import { loadActionworld } from "../../lib/models/actionworld/loader.ts";
import { loadArworld } from "../../lib/models/arworld/loader.ts";
import { type FakeRepository, withHub } from "../support/fake_hub.ts";
import { withModelMachine } from "../support/model_machine.ts";
import { torchCheckpoint } from "../support/pickle_bytes.ts";
import { runSvc } from "../support/run_svc.ts";
import { tinyActionworld } from "../support/tiny_actionworld.ts";
import { json, tinyArworld, tinyBaseConfig, tinyCausalConfig } from "../support/tiny_arworld.ts";

async function asTorch(bytes: Uint8Array): Promise<Uint8Array> {
  const file = await openSafetensors("tiny", bytes);
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>();
  for (const name of file.tensors.keys()) {
    const tensor = await file.read(name);
    tensors.set(name, { shape: tensor.shape, data: toFloat32(tensor) });
  }
  return torchCheckpoint(tensors);
}

/** The repositories of DreamX-World-5B with tiny weights under the published names, among files that no world needs. */
async function dreamxRepositories(): Promise<FakeRepository[]> {
  const { base, causal } = tinyArworld();
  const { latents_mean, latents_std } = tinyBaseConfig;
  const wan = {
    "config.json": json({ latents_mean, latents_std, num_heads: 24 }),
    "Wan2.2_VAE.pth": await asTorch(base.get("vae.safetensors")!),
    "models_t5_umt5-xxl-enc-bf16.pth": await asTorch(base.get("t5_encoder.safetensors")!),
    "google/umt5-xxl/tokenizer.json": base.get("tokenizer.json")!,
    "diffusion_pytorch_model-00001-of-00003.safetensors": new Uint8Array(9),
    "examples/i2v_input.JPG": new Uint8Array(9),
  };
  const own = { "config.json": json(tinyCausalConfig), "model.safetensors": causal.get("model.safetensors")! };
  return [
    { name: "Wan-AI/Wan2.2-TI2V-5B", license: "apache-2.0", files: wan },
    { name: "GD-ML/DreamX-World-5B", files: own },
  ];
}

test("svc model pull dreamx-5b downloads, converts and removes part after part, and resumes after a failure", async () => {
  const repositories = await dreamxRepositories();
  await withHub(repositories, (hub) =>
    withModelMachine(async ({ environment, store, run, out, err }) => {
      environment.HF_ENDPOINT = hub.url;
      await assert.rejects(run("pull", "dreamx-5b"), {
        code: "license_not_accepted",
        message: /GD-ML\/DreamX-World-5B has an unknown license .*try again with `acceptLicense`$/,
      });
      assert.match(err.join("\n"), /Wan-AI\/Wan2\.2-TI2V-5B at c0ffee0.*license Apache-2\.0.*\n.*unknown/);
      assert.match(err.join("\n"), /dreamx-5b as q8: about .*, at most .* of disk on the way/);
      await assert.rejects(run("pull", "dreamx-5b", "--quantization", "q5"), /expected the quantization q8, q4, f16/);

      hub.behaviour.spoil = (path, bytes) => path === "model.safetensors" ? bytes.map((byte) => byte ^ 1) : bytes;
      await assert.rejects(run("pull", "dreamx-5b", "--accept-model-license"), { code: "corrupt_download" });
      const work = join(store.layout.downloads, "world@dreamx-5b");
      const left = readdirSync(work, { recursive: true }).map(String);
      assert.ok(left.some((path) => path.endsWith("t5_encoder.safetensors")), left.join());
      assert.ok(!left.some((path) => /\.pth$/.test(path)), left.join());
      assert.equal(existsSync(store.layout.world("dreamx-5b")), false);

      hub.behaviour.spoil = undefined;
      hub.requests.length = 0;
      assert.equal(await run("pull", "dreamx-5b", "--accept-model-license"), 0);
      assert.ok(!hub.requests.some(({ path }) => /\.pth$/.test(path)), "what was converted is not downloaded again");
      assert.equal(existsSync(work), false);
      const folder = store.layout.world("dreamx-5b");
      const { transformer, config } = await loadArworld(
        modelRoot(join(folder, "base")),
        modelRoot(join(folder, "causal")),
      );
      assert.equal(config.transformer.numLayers, tinyCausalConfig.dit.num_layers);
      assert.equal("kind" in transformer.matrix("blocks.0.ffn.0.weight"), true);
      const record = JSON.parse(readFileSync(join(folder, "svc-world.json"), "utf8"));
      assert.deepEqual(record.sources.map(({ license }: { license?: string }) => license), ["Apache-2.0", undefined]);

      assert.equal(await run("pull", "dreamx-5b"), 0);
      assert.match(out.at(-1)!, /is in .* already/);
      assert.equal(await run("list"), 0);
      assert.match(
        out.join("\n"),
        /dreamx-5b {2}walks.*: pulled, [\d.]+ [KM]iB\ncosmos3-edge.*svc model pull cosmos3-edge/,
      );
      const plan = await runSvc(join(folder, "..", "home"), ["world", "plan", "--model", "dreamx-5b"], {
        env: { SVC_MODELS_DIR: store.layout.folder },
      });
      assert.match(plan.stdout, /dreamx-5b/, plan.stderr);
      assert.equal(await run("rm", "dreamx-5b", "--yes"), 0);
      assert.equal(existsSync(folder), false);
    }));
});

test("a pull of a world that a full disk ends is named, leaves no world, and resumes where it stopped", async () => {
  await withHub(await dreamxRepositories(), (fake) =>
    withModelMachine(async ({ environment, store }) => {
      environment.HF_ENDPOINT = fake.url;
      const hub = openHub({ url: fake.url, token: undefined });
      let written = 0;
      const pull = (read: Hub["read"]) =>
        pullCatalogWorld(WORLD_CATALOG.find(({ id }) => id === "dreamx-5b")!, { acceptLicense: true }, {
          ...{ store, openHub: () => ({ ...hub, read }), onTransfer: () => {}, wait: () => Promise.resolve() },
          signal: new AbortController().signal,
        });
      const starts: number[] = [];
      const full: Hub["read"] = async (...request) => {
        const content = await hub.read(...request);
        if (request[1] !== "models_t5_umt5-xxl-enc-bf16.pth") return content;
        return { ...content, stream: ReadableStream.from(fillingDisk(content.stream, (bytes) => written += bytes)) };
      };
      await assert.rejects(pull(full), {
        code: "disk_full",
        message:
          `Cannot pull dreamx-5b into ${store.layout.folder}: the disk is full, free some space and try again; ` +
          "the next pull resumes here",
      });
      assert.equal(existsSync(store.layout.world("dreamx-5b")), false);
      const work = join(store.layout.downloads, "world@dreamx-5b");
      const left = readdirSync(work, { recursive: true }).map(String);
      assert.ok(!left.some((name) => /partial|server\.lock$/.test(name)), left.join());

      const { isNew } = await pull(async (...request) => {
        if (request[1] === "models_t5_umt5-xxl-enc-bf16.pth") starts.push(request[2]);
        assert.notEqual(request[1], "Wan2.2_VAE.pth"); // which is converted
        return await hub.read(...request);
      });
      assert.equal(isNew, true);
      assert.deepEqual(starts, [written]);
      assert.equal(existsSync(work), false);
    }));
});

/** The first half of each part, then no more space. */
async function* fillingDisk(
  stream: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const part of stream) {
    const half = part.slice(0, part.length >> 1);
    onBytes(half.length);
    yield half;
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  }
}

test("svc model pull cosmos3-edge makes a smaller snapshot of the pinned revision, and refuses anything else", async () => {
  const { revision: commit, repository: name } = WORLD_CATALOG.find(({ id }) => id === "cosmos3-edge")!.sources[0];
  const files = Object.fromEntries(tinyActionworld());
  const { "vision_encoder/model.safetensors": _, ...without } = files;
  const broken = { ...files, "transformer/config.json": json({}) };
  const repository = (files: FakeRepository["files"]) => ({ name, commit, license: "openmdw-1.1", files });
  for (const [wrong, code] of [[without, "unsuitable_files"], [broken, "checkpoint_refused"]] as const) {
    await withHub([repository(wrong)], (hub) =>
      withModelMachine(async ({ environment, store, run }) => {
        environment.HF_ENDPOINT = hub.url;
        await assert.rejects(run("pull", "cosmos3-edge", "--accept-model-license"), { code });
        assert.equal(existsSync(store.layout.world("cosmos3-edge")), false);
      }));
  }
  await withHub([repository(files)], (hub) =>
    withModelMachine(async ({ environment, store, run }) => {
      environment.HF_ENDPOINT = hub.url;
      await assert.rejects(run("pull", "cosmos3-edge"), { code: "license_not_accepted", message: /"openmdw-1\.1"/ });
      const tools = { store, environment: (name: string) => environment[name], wait: () => Promise.resolve() };
      const pull = (options: PullModelOptions) => pullModel("cosmos3-edge", options, tools);
      await assert.rejects(pull({ revision: "main" }), RangeError);
      await assert.rejects(pull({ quantization: "q4" }), { code: "license_not_accepted" });
      const seen = new Set<string>();
      const pulled = await pull({
        quantization: "q4",
        acceptLicense: true,
        onProgress: ({ path }) => void seen.add(path),
      });
      const { id, task, folder, bytes } = pulled;
      assert.deepEqual([id, task, folder], ["cosmos3-edge", "world", store.layout.world("cosmos3-edge")]);
      assert.ok(bytes > 0 && seen.has("transformer/config.json"), [...seen].join());
      assert.deepEqual(await pull({}), pulled);
      const { transformer } = await loadActionworld(modelRoot(store.layout.world("cosmos3-edge")));
      assert.equal("kind" in transformer.matrix("layers.0.mlp.up_proj.weight"), true);
    }));
});

test("peakBytes() counts what is on the disk at once, not what is downloaded in all", () => {
  const parts = [[3, 1], [11, 11], [21, 6]].map(([bytes, resultBytes]) => ({ bytes, resultBytes }) as PlannedPart);
  assert.equal(peakBytes(parts, ({ bytes }) => bytes), 1 + 11 + 21 + 6);
  assert.equal(peakBytes(parts.slice(2), () => 2), 8);
  assert.equal(peakBytes([], () => 0), 0);
});
