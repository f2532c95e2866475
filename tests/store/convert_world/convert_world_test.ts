import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { convertWorld, type ConvertWorldOptions } from "../../../lib/store/convert/world/convert_world.ts";
import { findDialect } from "../../../lib/store/convert/world/dialects.ts";
import { blockTypes } from "../../../lib/store/convert/gguf_source.ts";
import { modelRoot } from "../../../lib/world/plan/model_root.ts";
import {
  encodeSafetensors,
  openSafetensors,
  safetensorsHead,
  type Tensor,
  toFloat32,
} from "../../../lib/compute/tensor/mod.ts";
import { embeddedFolder } from "../../../lib/app/embedded/embedded_folder.ts";
import { loadArworld } from "../../../lib/models/arworld/loader.ts";
import { inspectModelRoots } from "../../../lib/world/backends/model_roots.ts";
import { ggufFile } from "../../fixtures/tiny_models/gguf_file.ts";
import { torchCheckpoint } from "../../support/pickle_bytes.ts";
import { tinyDecoderShapes } from "../../../lib/models/video_vae/tiny_decoder.ts";
import { seededRandom } from "../../support/random.ts";
import { withModelMachine } from "../../support/model_machine.ts";
import { convertedCorridor } from "../../support/converted_corridor.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { memoryRoot, randomWeight, tinyArworld, tinyBaseConfig, tinyCausalConfig } from "../../support/tiny_arworld.ts";
import blocks from "./gguf_blocks.json" with { type: "json" };

const never = new AbortController().signal;
const parts = ["vae", "text encoder", "causal"] as const;

type WorldPart = (typeof parts)[number];

/** The weights of the tiny world by part. */
async function tinyWeights(): Promise<Record<WorldPart, Map<string, Tensor>>> {
  const { base, causal } = tinyArworld();
  const read = async (bytes: Uint8Array) => {
    const file = await openSafetensors("tiny", bytes);
    return new Map(await Promise.all([...file.tensors.keys()].map(async (n) => [n, await file.read(n)] as const)));
  };
  return {
    vae: await read(base.get("vae.safetensors")!),
    "text encoder": await read(base.get("t5_encoder.safetensors")!),
    causal: await read(causal.get("model.safetensors")!),
  };
}

/** The name of a weight in a dialect, found through what distinguishes the dialects. */
function named(part: WorldPart, sign: string, weights: ReadonlyMap<string, Tensor>): Map<string, Tensor> {
  const { of } = findDialect(part, "a test", new Set([sign]));
  return new Map(Array.from(weights, ([name, tensor]) => [of(name), tensor]));
}

function asTorch(tensors: ReadonlyMap<string, Tensor>): Uint8Array {
  return torchCheckpoint(new Map(Array.from(tensors, ([n, t]) => [n, { shape: t.shape, data: toFloat32(t) }])));
}

/** Writes a checkpoint in a folder of its own, with the configuration that the shapes do not determine. */
function writeSource(folder: string, part: WorldPart, name: string, bytes: Uint8Array): string {
  const place = join(folder, part);
  mkdirSync(place, { recursive: true });
  if (part === "vae") {
    const { latents_mean, latents_std } = tinyBaseConfig;
    writeFileSync(join(place, "config.json"), JSON.stringify({ latents_mean, latents_std }));
  }
  if (part === "causal") writeFileSync(join(place, "config.json"), JSON.stringify(tinyCausalConfig));
  if (part === "text encoder") writeFileSync(join(place, "tokenizer.json"), tinyArworld().base.get("tokenizer.json")!);
  const path = join(place, name);
  writeFileSync(path, bytes);
  return path;
}

async function convert(options: ConvertWorldOptions) {
  return await convertWorld(options, () => {}, never);
}

/** Every weight of a converted world next to the original. */
async function checkWorld(folder: string, tolerance: number): Promise<void> {
  const { base, causal } = tinyArworld();
  const expected = await loadArworld(memoryRoot("base", base), memoryRoot("causal", causal));
  const found = await loadArworld(modelRoot(join(folder, "base")), modelRoot(join(folder, "causal")));
  assert.deepEqual(found.config.transformer, expected.config.transformer);
  assert.deepEqual(found.config.vae, expected.config.vae);
  assert.deepEqual(found.config.textEncoder, expected.config.textEncoder);
  assert.deepEqual(found.config.latentsStd, expected.config.latentsStd);
  const weights = await tinyWeights();
  const loaded = { vae: found.vae, "text encoder": found.textEncoder, causal: found.transformer };
  for (const part of parts) {
    for (const [name, tensor] of weights[part]) {
      const stored = loaded[part].matrix(name);
      if ("kind" in stored) continue;
      const numbers = toFloat32(stored);
      toFloat32(tensor).forEach((x, i) => assert.ok(Math.abs(x - numbers[i]) <= tolerance, `${name} ${i}`));
    }
  }
}

test("convertWorld() makes the same world from every dialect, and takes what it made before", () =>
  withFolder(async (folder) => {
    const weights = await tinyWeights();
    const signs: readonly Readonly<Record<WorldPart, string>>[] = [
      { vae: "conv1.weight", "text encoder": "norm.weight", causal: "head.head.weight" },
      { vae: "quant_conv.weight", "text encoder": "encoder.final_layer_norm.weight", causal: "proj_out.weight" },
      { vae: "vae.conv1.weight", "text encoder": "enc.output_norm.weight", causal: "model.head.head.weight" },
      {
        ...{ vae: "module.conv1.weight", "text encoder": "text_encoder.module.norm.weight" },
        causal: "generator.model._orig_mod.head.head.weight",
      },
    ];
    for (const [i, sign] of signs.entries()) {
      const sources = join(folder, `${i}`);
      const output = join(folder, `out${i}`);
      for (const part of parts) {
        const tensors = named(part, sign[part], weights[part]);
        // The makers of Wan give their text encoder and autoencoder as `.pth`.
        if (i === 0 && part !== "causal") writeSource(sources, part, "Wan2.2.pth", asTorch(tensors));
        else writeSource(sources, part, "model.safetensors", encodeSafetensors(tensors));
      }
      const options: ConvertWorldOptions = {
        output,
        parts: parts.map((part) => ({ part, source: join(sources, part), type: "f32" })),
      };
      const made = await convert(options);
      assert.deepEqual(made.map(({ found, unused }) => [found, unused]), [[false, 0], [false, 0], [false, 0]]);
      assert.ok(made.every(({ weights }) => weights.every(({ error }) => error === 0)));
      await checkWorld(output, 0);
      const again = await convert(options);
      assert.deepEqual(again.map(({ found }) => found), [true, true, true]);
      assert.deepEqual(again.map(({ weights }) => weights.length), made.map(({ weights }) => weights.length));
    }
    const location = {
      id: "w",
      path: join(folder, "out0", "causal"),
      basePath: join(folder, "out0", "base"),
      remedy: "",
    };
    await inspectModelRoots({
      ...location,
      exists: (root, name) => Promise.resolve(existsSync(join(root, name))),
      readText: (root, name) => Promise.resolve(readFileSync(join(root, name), "utf8")),
    });
  }));

test("svc model convert writes f16, q8 and q4 with the largest error of every weight", () =>
  withModelMachine(async ({ home, out, run }) => {
    const weights = await tinyWeights();
    const source = (part: WorldPart) => {
      writeSource(home, part, "model.safetensors", encodeSafetensors(weights[part]));
      return join(home, part);
    };
    const sources = [
      ...["--vae", source("vae"), "--text-encoder", source("text encoder"), "--causal", source("causal")],
    ];
    const bounds = { f16: 6e-4, q8: 0.006, q4: 0.2 } as const;
    for (const [type, bound] of Object.entries(bounds)) {
      const output = join(home, type);
      assert.equal(await run("convert", "--kind", "arworld", ...sources, "--dtype", type, "-o", output), 0);
      const report = JSON.parse(readFileSync(join(output, "conversion.json"), "utf8"));
      for (const part of parts) {
        assert.match(report[part].source_sha256, /^[0-9a-f]{64}$/);
        const errors: { name: string; type: string; error: number }[] = report[part].weights;
        assert.equal(errors.length, weights[part].size);
        assert.ok(errors[0].error > 0 && errors[0].error <= bound, `${type} ${part}: ${errors[0].error}`);
      }
      await checkWorld(output, 1e-3);
      const { transformer } = await loadArworld(modelRoot(join(output, "base")), modelRoot(join(output, "causal")));
      assert.equal("kind" in transformer.matrix("blocks.0.ffn.0.weight"), type !== "f16");
      assert.equal("kind" in transformer.matrix("head.head.weight"), false);
    }
    assert.match(out.join("\n"), /Wrote causal\/model\.safetensors \(\d+ weights as q4 from names of Wan/);
    await assert.rejects(run("convert", "--kind", "arworld", "-o", home), /nothing to convert/);
    await assert.rejects(run("convert", "--kind", "arworld", "x", "-o", home), /has no flag/);
  }));

test("convertWorld() resumes where it was interrupted, and refuses what does not make a world", () =>
  withFolder(async (folder) => {
    const weights = await tinyWeights();
    const source = writeSource(folder, "causal", "model.safetensors", encodeSafetensors(weights.causal));
    const output = join(folder, "out");
    const options: ConvertWorldOptions = { output, parts: [{ part: "causal", source, type: "q8" }] };
    const stop = new AbortController();
    let steps = 0;
    const interrupted = convertWorld(
      options,
      ({ step }) => step === "convert" && ++steps === 20 && stop.abort(),
      stop.signal,
    );
    await assert.rejects(interrupted, { name: "AbortError" });
    const file = join(output, "causal", "model.safetensors");
    assert.equal(existsSync(file), false);
    assert.equal(readFileSync(`${file}.journal`, "utf8").trim().split("\n").length, 20);
    // A line that was cut off counts as not written.
    writeFileSync(`${file}.journal`, readFileSync(`${file}.journal`, "utf8").slice(0, -9));
    await convert(options);
    const resumed = readFileSync(file);
    assert.equal(existsSync(`${file}.journal`) || existsSync(`${file}.partial`), false);
    renameSync(file, join(folder, "first"));
    await convert(options);
    assert.deepEqual(resumed, readFileSync(file));

    const refusals: [WorldPart, Map<string, Tensor>, RegExp][] = [
      ["causal", new Map([["w", weights.vae.get("conv1.weight")!]]), /none of the weights that were looked for/],
      ["causal", weights["text encoder"], /none of the weights that were looked for/],
      [
        "causal",
        new Map([...weights.causal, ...named("causal", "proj_out.weight", weights.causal)]),
        /a mixture of ".*" of Wan and ".*" of Diffusers/,
      ],
      [
        "causal",
        new Map([...weights.causal].filter(([n]) => n !== "blocks.1.ffn.2.bias")),
        /blocks\.1\.ffn\.2\.bias is missing/,
      ],
      [
        "text encoder",
        new Map([...weights["text encoder"], ["blocks.0.attn.k.weight", weights.causal.get("blocks.0.norm3.weight")!]]),
        /blocks\.0\.attn\.k\.weight has the shape/,
      ],
    ];
    for (const [part, tensors, message] of refusals) {
      const wrong = writeSource(join(folder, "wrong"), part, "wrong.safetensors", encodeSafetensors(tensors));
      const place = join(folder, "none");
      await assert.rejects(
        convert({ output: place, parts: [{ part, source: wrong, type: "f16" }] }),
        { code: "checkpoint_refused", message },
      );
      assert.equal(existsSync(join(place, "causal", "model.safetensors")), false);
    }
    writeFileSync(source, readFileSync(source).subarray(0, 3000));
    await assert.rejects(convert(options), { code: "checkpoint_refused" });
  }));

test("convertWorld() widens 8-bit numbers by their scales, and the blocks of GGUF", () =>
  withFolder(async (folder) => {
    const weights = await tinyWeights();
    const text = named("text encoder", "encoder.final_layer_norm.weight", weights["text encoder"]);
    const name = "encoder.block.0.layer.1.DenseReluDense.wi_1.weight";
    const { shape } = text.get(name)!;
    text.delete(name);
    const integers = "encoder.block.0.layer.0.SelfAttention.q.weight";
    const { shape: square } = text.get(integers)!;
    text.delete(integers);
    const eight = Uint8Array.from({ length: shape[0] * shape[1] }, (_, i) => [0x38, 0xb8, 0x01, 0x7e][i % 4]);
    const entries = [
      ...Array.from(text, ([key, { shape, data }]) => ({ name: key, dtype: "F32" as const, shape, data })),
      { name, dtype: "F8_E4M3" as const, shape, data: eight },
      {
        name: name.replace(/weight$/, "scale_weight"),
        dtype: "F32" as const,
        shape: [],
        data: new Float32Array([0.5]),
      },
      {
        name: integers,
        dtype: "I8" as const,
        shape: square,
        data: Int8Array.from({ length: square[0] * square[1] }, (_, i) => i % 2 ? -128 : 127),
      },
      {
        name: `${integers}_scale`,
        dtype: "F16" as const,
        shape: [square[0], 1],
        data: Uint16Array.from({ length: square[0] }, (_, row) => row === 0 ? 0x3c00 : 0x4000), // 1, then 2
      },
      { name: "scaled_fp8", dtype: "F8_E4M3" as const, shape: [2], data: new Uint8Array(2) },
    ].map((entry) => ({ ...entry, byteLength: entry.data.byteLength }));
    const write = (name: string, some: typeof entries): string => {
      const { bytes: head, order } = safetensorsHead(some, new Map());
      const all = [head, ...order.map(({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength))];
      return writeSource(folder, "text encoder", name, Buffer.concat(all));
    };
    const source = write("fp8.safetensors", entries);
    const output = join(folder, "out");
    const [made] = await convert({ output, parts: [{ part: "text encoder", source, type: "f32" }] });
    assert.equal(made.unused, 1);
    const file = await openSafetensors("out", readFileSync(join(output, "base", "t5_encoder.safetensors")));
    const { data } = await file.read("blocks.0.ffn.fc1.weight");
    assert.deepEqual([...data.subarray(0, 4)], [0.5, -0.5, 2 ** -10, 224]);
    const rows = (await file.read("blocks.0.attn.q.weight")).data;
    assert.deepEqual([rows[0], rows[1], rows.at(-2), rows.at(-1)], [127, -128, 254, -256]);
    const bare = write("bare.safetensors", entries.filter(({ name }) => name !== `${integers}_scale`));
    await assert.rejects(
      convert({ output: join(folder, "none"), parts: [{ part: "text encoder", source: bare, type: "f32" }] }),
      { code: "checkpoint_refused", message: /SelfAttention\.q\.weight has 8-bit integers without \S+q\.weight_scale/ },
    );

    const llama = named("text encoder", "enc.output_norm.weight", weights["text encoder"]);
    const gguf = ggufFile({ "general.architecture": "t5encoder", words: ["a", "b"] }, [
      ...Array.from(
        llama,
        ([each, t]) => ({ name: each, shape: t.shape, format: "f32" as const, data: () => toFloat32(t) }),
      ),
    ]);
    const ggufSource = writeSource(join(folder, "gguf"), "text encoder", "t5.gguf", gguf);
    const second = join(folder, "second");
    const [from] = await convert({
      output: second,
      parts: [{ part: "text encoder", source: ggufSource, type: "f32" }],
    });
    assert.equal(from.dialect, "llama.cpp");
    const whole = await openSafetensors("out", readFileSync(join(second, "base", "t5_encoder.safetensors")));
    for (const [each, tensor] of weights["text encoder"]) {
      assert.deepEqual((await whole.read(each)).data, tensor.data, each);
    }
    writeFileSync(ggufSource, gguf.subarray(0, gguf.length - 200));
    await assert.rejects(
      convert({ output: second, parts: [{ part: "text encoder", source: ggufSource, type: "f16" }] }),
      {
        code: "checkpoint_refused",
        message: /ends before its tensor/,
      },
    );
  }));

test("convertWorld() takes the embedded world: integers with their scales, and patches of 4x4", () =>
  withFolder(async (folder) => {
    const source = await embeddedFolder("corridor-nano");
    const output = join(folder, "out");
    const made = await convertedCorridor(output, "f32");
    assert.deepEqual(made.map(({ unused }) => unused), [0, 0, 0]);
    const load = async (root: string) =>
      await loadArworld(modelRoot(join(root, "base")), modelRoot(join(root, "causal")));
    const [before, after] = [await load(source), await load(output)];
    const { knownLatents: _, ...config } = before.config;
    assert.deepEqual(after.config, config);
    for (const [part, name] of [["vae", "encoder.conv1.weight"], ["transformer", "blocks.7.ffn.2.weight"]] as const) {
      const [one, other] = [before, after].map((each) => toFloat32(each[part].get(name)));
      assert.deepEqual(other, one, name);
    }
  }));

test("convertWorld() takes a GGUF of Wan, however its tool wrote axes of length 1 and the five of a convolution", () =>
  withFolder(async (folder) => {
    const weights = await tinyWeights();
    const dropped = (shape: readonly number[]) => shape[0] === 1 ? shape.slice(1) : shape;
    const ways: ((shape: readonly number[]) => readonly number[])[] = [
      (shape) => shape,
      dropped,
      (shape) => shape.length === 5 ? [...shape.slice(0, 3), shape[3] * shape[4]] : dropped(shape),
      (shape) => shape.length === 5 ? [shape[0], shape.slice(1).reduce((a, b) => a * b)] : [...shape, 1],
      (shape) => shape.length === 5 ? [shape[0] * shape[1], ...shape.slice(2)] : shape,
    ];
    for (const [i, way] of ways.entries()) {
      for (const part of ["vae", "causal"] as const) {
        const tensors = Array.from(
          weights[part],
          ([name, t]) => ({ name, shape: way(t.shape), format: "f32" as const, data: () => toFloat32(t) }),
        );
        const source = writeSource(join(folder, `${i}`), part, "m.gguf", ggufFile({}, tensors));
        const [made] = await convert({ output: join(folder, `out${i}`), parts: [{ part, source, type: "f32" }] });
        const out = await openSafetensors("out", readFileSync(join(folder, `out${i}`, made.file)));
        for (const [name, { shape, data }] of weights[part]) {
          assert.deepEqual(await out.read(name), { dtype: "f32", shape, data }, `${i} ${name}`);
        }
      }
    }
    // As many numbers, but of other axes.
    const name = "patch_embedding.weight";
    for (const shape of [[4, 16, 1, 2, 2], [8, 8, 4]]) {
      const data = () => toFloat32(weights.causal.get(name)!);
      const others = [...weights.causal].filter(([each]) => each !== name)
        .map(([name, t]) => ({ name, shape: t.shape, format: "f32" as const, data: () => toFloat32(t) }));
      const bytes = ggufFile({}, [...others, { name, shape, format: "f32", data }]);
      const source = writeSource(join(folder, "wrong"), "causal", "m.gguf", bytes);
      await assert.rejects(
        convert({ output: join(folder, "none"), parts: [{ part: "causal", source, type: "f32" }] }),
        { code: "checkpoint_refused", message: /patch_embedding\.weight has the shape/ },
      );
    }
  }));

test("convertWorld() takes the decoder's half of a published tiny autoencoder", () =>
  withFolder(async (folder) => {
    const shapes = tinyDecoderShapes(4, [8, 6, 4, 4]);
    const random = seededRandom(2);
    const tensors = new Map(Array.from(shapes, ([name, shape]) => [name, randomWeight(name, shape, random)]));
    const encoder = new Map([["encoder.0.weight", randomWeight("encoder.0.weight", [4, 12, 3, 3], random)]]);
    const source = join(folder, "taew2_2.pth");
    writeFileSync(source, asTorch(new Map([...encoder, ...tensors])));
    const [made] = await convert({ output: folder, parts: [{ part: "tiny decoder", source, type: "f16" }] });
    assert.deepEqual([made.file, made.unused, made.dialect], ["base/tiny_decoder.safetensors", 1, "TAEHV"]);
    const file = await openSafetensors("out", readFileSync(join(folder, made.file)));
    assert.deepEqual([...file.tensors.keys()].sort(), [...shapes.keys()].sort());
    assert.equal(file.tensors.get("decoder.3.conv.0.weight")!.dtype, "F16");
    tensors.delete("decoder.19.conv.weight");
    writeFileSync(source, asTorch(tensors));
    await assert.rejects(convert({ output: folder, parts: [{ part: "tiny decoder", source, type: "f16" }] }), {
      code: "checkpoint_refused",
      message: /decoder\.19\.conv\.weight is missing/,
    });
  }));

test("blockTypes read what gguf-py reads", () => {
  for (const [name, { bytes, values }] of Object.entries(blocks.types)) {
    const type = Object.values(blockTypes).find((each) => each.name === name)!;
    const data = new Uint8Array(Buffer.from(bytes, "base64"));
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const count = data.length / type.bytes;
    const out = new Float32Array(count * type.numbers);
    for (let i = 0; i < count; i++) type.read(view, i * type.bytes, out, i * type.numbers);
    const step = out.length > 64 ? 7 : 1;
    values.forEach((value, i) => {
      const found = out[i * step];
      assert.ok(Math.abs(found - value) <= 1e-6 * Math.max(1, Math.abs(value)), `${name} ${i}: ${found}, not ${value}`);
    });
  }
});
