import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { convertActionworld } from "../../../lib/store/convert/world/convert_actionworld.ts";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import {
  encodeSafetensors,
  openSafetensors,
  safetensorsHead,
  type Tensor,
  toFloat32,
} from "../../../lib/compute/tensor/mod.ts";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { compileActions } from "../../../lib/models/actionworld/action_rows.ts";
import { ActionworldModel } from "../../../lib/models/actionworld/actionworld_model.ts";
import { loadActionworld } from "../../../lib/models/actionworld/loader.ts";
import { inspectActionworldRoot } from "../../../lib/world/backends/model_roots.ts";
import { diffusersVaeName, vaeShapes } from "../../../lib/models/video_vae/vae_config.ts";
import { withModelMachine, writeModelFiles } from "../../support/model_machine.ts";
import { torchCheckpoint } from "../../support/pickle_bytes.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { tinyActionworld } from "../../support/tiny_actionworld.ts";
import { memoryRoot } from "../../support/tiny_arworld.ts";

const never = new AbortController().signal;
const f32 = { vae: "f32", transformer: "f32", "vision encoder": "f32" } as const;
const VAE = "vae/diffusion_pytorch_model.safetensors";
const EIGHT = "layers.1.mlp.up_proj.weight";

type Files = Map<string, Uint8Array>;

async function tensorsOf(bytes: Uint8Array): Promise<Map<string, Tensor>> {
  const file = await openSafetensors("tiny", bytes);
  return new Map(await Promise.all([...file.tensors.keys()].map(async (n) => [n, await file.read(n)] as const)));
}

async function transformerOf(files: Files): Promise<Map<string, Tensor>> {
  const shards = [...files.keys()].filter((path) => /^transformer\/.*-of-.*safetensors$/.test(path));
  return new Map((await Promise.all(shards.map((path) => tensorsOf(files.get(path)!)))).flatMap((all) => [...all]));
}

/** The same snapshot as other tools publish it: an autoencoder of Wan as `.pth`, a transformer with 8-bit floats. */
async function otherForms(): Promise<Files> {
  const files: Files = tinyActionworld();
  const { config } = await loadActionworld(memoryRoot("tiny", files));
  const stored = await tensorsOf(files.get(VAE)!);
  const wan = Array.from(vaeShapes(config.vae).keys(), (name) => {
    const tensor = stored.get(diffusersVaeName(name))!;
    return [name, { shape: tensor.shape, data: toFloat32(tensor) }] as const;
  });
  files.delete(VAE);
  files.set("vae/Wan2.2_VAE.pth", torchCheckpoint(new Map(wan)));
  const transformer = await transformerOf(files);
  const { shape } = transformer.get(EIGHT)!;
  transformer.delete(EIGHT);
  const entries = [
    ...Array.from(transformer, ([name, { shape, data }]) => ({ name, dtype: "F32" as const, shape, data })),
    ...[{ name: EIGHT, dtype: "F8_E4M3" as const, shape, data: new Uint8Array(shape[0] * shape[1]).fill(0x38) }],
    ...[{
      name: EIGHT.replace("weight", "weight_scale"),
      dtype: "F32" as const,
      shape: [],
      data: new Float32Array([0.25]),
    }],
  ].map((entry) => ({ ...entry, byteLength: entry.data.byteLength }));
  const { bytes: head, order } = safetensorsHead(entries, new Map());
  for (const path of [...files.keys()]) if (/^transformer\/.*safetensors/.test(path)) files.delete(path);
  const all = order.map(({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  files.set("transformer/fp8.safetensors", new Uint8Array(Buffer.concat([head, ...all])));
  return files;
}

function isServed(path: string): Promise<unknown> {
  return inspectActionworldRoot({
    ...{ id: "w", path, remedy: "" },
    exists: (root, name) => Promise.resolve(existsSync(join(root, name))),
    readText: (root, name) => Promise.resolve(readFileSync(join(root, name), "utf8")),
  });
}

test("convertActionworld() makes the same world of a snapshot, of .pth and of 8-bit floats, and takes what it made", () =>
  withFolder(async (folder) => {
    const expected = await loadActionworld(memoryRoot("tiny", tinyActionworld()));
    const forms = [["as published", tinyActionworld()], ["other forms", await otherForms()]] as const;
    for (const [form, files] of forms) {
      const [source, output] = [join(folder, form), join(folder, `${form} out`)];
      writeModelFiles(source, Object.fromEntries(files));
      const options = { source, output, types: f32 };
      const made = await convertActionworld(options, () => {}, never);
      assert.deepEqual(made.map(({ found }) => found), [false, false, false]);
      assert.equal(made[0].dialect, form === "other forms" ? "Wan" : "Diffusers");
      assert.ok(made.every(({ weights }) => weights.every(({ error }) => error === 0)));
      await isServed(output);
      const found = await loadActionworld(modelRoot(output));
      assert.deepEqual(found.config, expected.config);
      assert.deepEqual(found.tokenizer, expected.tokenizer);
      for (const name of (await transformerOf(tinyActionworld())).keys()) {
        if (!expected.transformer.has(name)) continue;
        const numbers = toFloat32(found.transformer.get(name));
        if (form === "other forms" && name === EIGHT) assert.ok(numbers.every((x) => x === 0.25));
        else assert.deepEqual(numbers, toFloat32(expected.transformer.get(name)), name);
      }
      for (const name of vaeShapes(expected.config.vae).keys()) {
        assert.deepEqual(toFloat32(found.vae.get(name)), toFloat32(expected.vae.get(name)), name);
      }
      const again = await convertActionworld(options, () => {}, never);
      assert.deepEqual(again.map(({ found }) => found), [true, true, true]);
      await assert.rejects(convertActionworld({ ...options, source: output }, () => {}, never), {
        code: "unsuitable_files",
        message: /would take its place/,
      });
    }
  }));

test("svc model convert --kind actionworld writes 8 and 4 bits that a world runs with", () =>
  withModelMachine(async ({ home, out, run }) => {
    const source = join(home, "snapshot");
    writeModelFiles(source, Object.fromEntries(tinyActionworld()));
    for (const [type, bound] of [["q8", 0.006], ["q4", 0.2]] as const) {
      const output = join(home, type);
      assert.equal(await run("convert", "--kind", "actionworld", source, "--dtype", type, "-o", output), 0);
      const report = JSON.parse(readFileSync(join(output, "conversion.json"), "utf8"));
      const [{ error }] = report.transformer.weights;
      assert.ok(error > 0 && error <= bound, `${type}: ${error}`);
      const { transformer } = await loadActionworld(modelRoot(output));
      assert.equal("kind" in transformer.matrix(EIGHT), true);
      assert.equal("kind" in transformer.matrix("action_proj_in.fc.weight"), false);
      const model = new ActionworldModel({ id: type, snapshot: modelRoot(output), openDevice: () => openOnnxDevice() });
      await model.prepare();
      await model.begin({ width: 48, height: 32, data: new Uint8Array(48 * 32 * 3).fill(99) }, {
        width: 48,
        height: 32,
      });
      const still = { direction: [0, 0, 1], translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] } as const;
      const clip = await model.generate({
        ...{ prompt: "a hall", seed: 1n, frames: 5, actions: compileActions(still, 4), fps: 8, steps: 1 },
        ...{ guidanceScale: 1, shift: 3 },
      });
      assert.equal(clip.count, 5);
      await model.unload();
    }
    assert.match(out.join("\n"), /Wrote transformer\/diffusion_pytorch_model\.safetensors \(\d+ weights as q4/);
    await assert.rejects(run("convert", "--kind", "actionworld", "-o", home), /got 0 snapshots/);
  }));

test("convertActionworld() resumes where it was interrupted, and refuses what is not an actionworld", () =>
  withFolder(async (folder) => {
    const source = join(folder, "source");
    writeModelFiles(source, Object.fromEntries(tinyActionworld()));
    const options = { source, output: join(folder, "out"), types: { ...f32, transformer: "q8" as const } };
    const { config } = await loadActionworld(memoryRoot("tiny", tinyActionworld()));
    const stop = new AbortController();
    let steps = 0;
    const interrupted = convertActionworld(
      options,
      ({ step }) => step === "convert" && ++steps === vaeShapes(config.vae).size + 20 && stop.abort(),
      stop.signal,
    );
    await assert.rejects(interrupted, { name: "AbortError" });
    const made = await convertActionworld(options, () => {}, never);
    assert.deepEqual(made.map(({ found }) => found), [true, false, false]);
    const whole = readFileSync(join(options.output, "transformer/diffusion_pytorch_model.safetensors"));
    rmSync(join(options.output, "transformer"), { recursive: true });
    await convertActionworld(options, () => {}, never);
    assert.deepEqual(readFileSync(join(options.output, "transformer/diffusion_pytorch_model.safetensors")), whole);

    const edited = async (edit: (tensors: Map<string, Tensor>) => void): Promise<Files> => {
      const files: Files = tinyActionworld();
      const tensors = await transformerOf(files);
      edit(tensors);
      for (const path of [...files.keys()]) if (/^transformer\/.*safetensors/.test(path)) files.delete(path);
      return files.set("transformer/model.safetensors", encodeSafetensors(tensors));
    };
    const without = (...paths: string[]): Files =>
      new Map([...tinyActionworld()].filter(([path]) => !paths.includes(path)));
    const refusals: [Files, string, RegExp][] = [
      [without("tokenizer.json", "scheduler/scheduler_config.json"), "unsuitable_files", /no scheduler.*no text_token/],
      [without(VAE), "unsuitable_files", /vae: it has 0 files of weights/],
      [without("vision_encoder/model.safetensors"), "unsuitable_files", /vision_encoder: it does not exist/],
      [
        new Map([...tinyActionworld(), ["transformer/config.json", new TextEncoder().encode("{}")]]),
        "checkpoint_refused",
        /it is not an actionworld \(transformer\/config\.json: hidden_size is/,
      ],
      [await edited((all) => all.delete(EIGHT)), "checkpoint_refused", /layers\.1\.mlp\.up_proj\.weight is missing/],
      [
        await edited((all) => all.set(EIGHT, all.get("norm.weight")!)),
        "checkpoint_refused",
        /up_proj\.weight has the shape \[32\], not/,
      ],
      [await edited((all) => all.clear()), "checkpoint_refused", /none of the weights that were looked for/],
    ];
    for (const [i, [files, code, message]] of refusals.entries()) {
      const wrong = join(folder, `${i}`);
      writeModelFiles(wrong, Object.fromEntries(files));
      await assert.rejects(
        convertActionworld({ source: wrong, output: join(folder, "none"), types: f32 }, () => {}, never),
        { code, message },
      );
      assert.equal(existsSync(join(folder, "none", "transformer", "diffusion_pytorch_model.safetensors")), i === 2);
      rmSync(join(folder, "none"), { recursive: true, force: true });
    }
  }));
