import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { convertTensors } from "../../../lib/store/convert/convert_tensors.ts";
import { openCheckpoint } from "../../../lib/store/convert/open_checkpoint.ts";
import { convertWorld } from "../../../lib/store/convert/world/convert_world.ts";
import { findDialect } from "../../../lib/store/convert/world/dialects.ts";
import {
  encodeSafetensors,
  f32,
  openSafetensors,
  safetensorsHead,
  sizeOf,
  type Tensor,
  toFloat32,
} from "../../../lib/compute/tensor/mod.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { parseArworldConfig } from "../../../lib/models/arworld/parse_config.ts";
import { ggufFile } from "../../fixtures/tiny_models/gguf_file.ts";
import { torchCheckpoint } from "../../support/pickle_bytes.ts";
import { seededRandom } from "../../support/random.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { tinyArworld, tinyBaseConfig, tinyCausalConfig } from "../../support/tiny_arworld.ts";

const never = new AbortController().signal;
const INDEX = "model.safetensors.index.json";
const small = encodeSafetensors(new Map([["a", f32([2], [1, 2])]]));

/** The text encoder of the tiny world in a dialect. */
async function textWeights(sign: string): Promise<Map<string, Tensor>> {
  const { of } = findDialect("text encoder", "a test", new Set([sign]));
  const file = await openSafetensors("tiny", tinyArworld().base.get("t5_encoder.safetensors")!);
  return new Map(
    await Promise.all([...file.tensors.keys()].map(async (name) => [of(name), await file.read(name)] as const)),
  );
}

async function open(path: string): Promise<readonly string[]> {
  const checkpoint = await openCheckpoint(path);
  await checkpoint.close();
  return checkpoint.tensors.map(({ name }) => name);
}

test("openCheckpoint() refuses an index that is wrong", () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, "one.safetensors"), small);
    mkdirSync(join(folder, "folder.safetensors"));
    const index = join(folder, INDEX);
    const shards = (map: unknown) => JSON.stringify({ weight_map: map });
    const wrong: readonly (readonly [text: string, message: RegExp])[] = [
      [shards({ a: "gone.safetensors" }), /index\.json: its file .*gone\.safetensors is missing/],
      [shards({ a: "../one.safetensors" }), /names "\.\.\/one\.safetensors", expected files beside it/],
      [shards({ a: "/etc/passwd.bin" }), /names "\/etc\/passwd\.bin", expected files beside it/],
      [shards({ a: "folder.safetensors" }), /index\.json: .*folder\.safetensors: it is not a regular file/],
      [shards({ a: "one.safetensors", b: "one.safetensors" }), /one\.safetensors: it lacks "b"/],
      [`{"weight_map":{"a":"one.safetensors","a":"two.safetensors"}}`, /the key "a" twice/],
      [shards(["one.safetensors"]), /"weight_map" is missing or not an object/],
      [shards({ a: [["one.safetensors"]] }), /names what is not a name/],
      [`{"weight_map":{"a":${"[".repeat(1e5)}${"]".repeat(1e5)}}}`, /it is not JSON, expected an index/],
      ["null", /"weight_map" is missing/],
      [shards({}), /names 0 files/],
      ["{", /it is not JSON/],
    ];
    for (const [text, message] of wrong) {
      writeFileSync(index, text);
      await assert.rejects(open(index), { code: "checkpoint_refused", message }, text.slice(0, 60));
    }
    writeFileSync(index, shards({ a: "one.safetensors" }));
    assert.deepEqual(await open(index), ["a"]);
  }));

test(
  "openCheckpoint() does not wait for a pipe, and recognises Git LFS pointers",
  { skip: process.platform === "win32" },
  () =>
    withFolder(async (folder) => {
      execFileSync("mkfifo", [join(folder, "pipe.safetensors")]);
      writeFileSync(join(folder, INDEX), JSON.stringify({ weight_map: { a: "pipe.safetensors" } }));
      await assert.rejects(open(folder), { code: "checkpoint_refused", message: /it is not a regular file/ });
      const pointer = join(folder, "model.bin");
      writeFileSync(pointer, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n");
      await assert.rejects(open(pointer), { code: "checkpoint_refused", message: /pointer of Git LFS.*git lfs pull/ });
    }),
);

test("openCheckpoint() refuses a GGUF whose tensors share bytes", () =>
  withFolder(async (folder) => {
    const entries = ["a", "b"].map((name) => ({
      ...{ name, shape: [8], format: "f32" as const, data: () => new Float32Array(8) },
    }));
    const bytes = ggufFile({ "general.architecture": "t5encoder" }, entries);
    const path = join(folder, "t5.gguf");
    writeFileSync(path, bytes);
    assert.deepEqual(await open(path), ["a", "b"]);
    // The offset of the second one, 32 after the first, ends the list of tensors.
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    let at = bytes.length - 64;
    while (view.getBigUint64(at, true) !== 32n) at--;
    view.setBigUint64(at, 0n, true);
    writeFileSync(path, bytes);
    await assert.rejects(open(path), { code: "checkpoint_refused", message: /its tensor "b" shares bytes/ });
  }));

test("convertTensors() makes the folder of its output, and says what it cannot write", () =>
  withFolder(async (folder) => {
    const source = join(folder, "small.safetensors");
    writeFileSync(source, small);
    const write = (output: string, code?: string) =>
      convertTensors({ source, output }, ({ step }) => {
        if (code !== undefined && step === "convert") throw Object.assign(new Error(code), { code });
      }, never);
    assert.equal((await write(join(folder, "new", "deep", "out.safetensors"))).tensors, 1);
    await assert.rejects(write(join(source, "out.safetensors")), { code: "unsuitable_files", message: /its folder/ });
    await assert.rejects(write(join(folder, "full", "out.safetensors"), "ENOSPC"), {
      code: "disk_full",
      message: `Cannot convert ${source}: the disk is full, free some space and try again`,
    });
    assert.deepEqual(readdirSync(join(folder, "full")), []);
  }));

test("convertWorld() takes a scale for each of many rows, and no other number of scales", () =>
  withFolder(async (folder) => {
    const rows = 200_000;
    const weights = await textWeights("encoder.final_layer_norm.weight");
    const [, width] = weights.get("shared.weight")!.shape;
    weights.delete("shared.weight");
    const source = join(folder, "fp8.safetensors");
    const write = (shape: readonly number[], scale = "scale_weight"): void => {
      const scales = sizeOf(shape);
      const entries = [
        ...Array.from(weights, ([name, { shape, data }]) => ({ name, dtype: "F32" as const, shape, data })),
        {
          name: "shared.weight",
          dtype: "F8_E4M3" as const,
          shape: [rows, width],
          data: new Uint8Array(rows * width).fill(0x38),
        },
        { name: `shared.${scale}`, dtype: "F32" as const, shape, data: new Float32Array(scales).fill(2) },
      ].map((entry) => ({ ...entry, byteLength: entry.data.byteLength }));
      const { bytes: head, order } = safetensorsHead(entries, new Map());
      const data = order.map(({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      writeFileSync(source, Buffer.concat([head, ...data]));
    };
    const convert = (output: string) =>
      convertWorld({ output, parts: [{ part: "text encoder", source, type: "q8" }] }, () => {}, never);
    write([rows, 1]);
    const [{ weights: made }] = await convert(join(folder, "out"));
    assert.ok(made.some(({ name, type }) => name === "token_embedding.weight" && type === "q8"));
    // A scale for each column, or for blocks of rows and columns, as other tools have them.
    for (const [scale, shape] of [["scale_weight", [3]], ["weight_scale", [1, rows]], ["weight_scale_inv", [3, 2]]]) {
      write(shape as number[], scale as string);
      await assert.rejects(convert(join(folder, "none")), {
        code: "checkpoint_refused",
        message: new RegExp(`shared\\.${scale} has the shape \\[${shape}\\], not one scale or one per row, 200000`),
      });
    }
  }));

test("a configuration of endless layers is refused before their weights are listed", () => {
  const endless = [
    [{ ...tinyBaseConfig, t5: { ...tinyBaseConfig.t5, num_layers: 1_000_000 } }, tinyCausalConfig, /t5\.num_layers/],
    [{ ...tinyBaseConfig, vae: { ...tinyBaseConfig.vae, num_res_blocks: 9999 } }, tinyCausalConfig, /num_res_blocks/],
    [
      { ...tinyBaseConfig, vae: { ...tinyBaseConfig.vae, dim_mult: new Array(99).fill(1) } },
      tinyCausalConfig,
      /dim_mult/,
    ],
    [tinyBaseConfig, { dit: { ...tinyCausalConfig.dit, num_layers: 1_000_000 } }, /dit\.num_layers is 1000000/],
  ] as const;
  for (const [base, causal, message] of endless) {
    assert.throws(() => parseArworldConfig(base, causal), { code: "model_invalid", message });
  }
});

test("damaged checkpoints of every kind are converted or refused by name, and leave nothing", () =>
  withFolder(async (folder) => {
    const random = seededRandom(17);
    const int = (n: number) => Math.floor(random() * n);
    const wan = await textWeights("norm.weight");
    const gguf = Array.from(
      await textWeights("enc.output_norm.weight"),
      ([name, t]) => ({ name, shape: t.shape, format: "f32" as const, data: () => toFloat32(t) }),
    );
    const kinds: readonly (readonly [string, Uint8Array])[] = [
      ["model.safetensors", encodeSafetensors(wan)],
      ["model.pth", torchCheckpoint(new Map(Array.from(wan, ([n, t]) => [n, { shape: t.shape, data: toFloat32(t) }])))],
      ["model.gguf", ggufFile({ "general.architecture": "t5encoder" }, gguf)],
    ];
    let refused = 0;
    for (let run = 0; run < 150; run++) {
      const [name, whole] = kinds[run % kinds.length];
      const source = join(folder, name);
      writeFileSync(source, damage(whole, int));
      const output = join(folder, `out${run}`);
      mkdirSync(output);
      try {
        if (run % 2) await convertTensors({ source, output: join(output, "tensors") }, () => {}, never);
        else await convertWorld({ output, parts: [{ part: "text encoder", source, type: "q8" }] }, () => {}, never);
      } catch (error) {
        refused++;
        assert.ok(error instanceof SvcError && error.message.includes(source), `run ${run}: ${error}`);
        const left = readdirSync(output, { recursive: true }).filter((each) => each !== "base");
        assert.ok(left.every((each) => /\.(partial|journal)$/.test(`${each}`)), `run ${run}: ${left}`);
      }
    }
    assert.ok(refused > 75, `${refused}`);
  }));

/** Cuts, overwrites, removes or repeats a few bytes, mostly where files say what they are. */
function damage(whole: Uint8Array, int: (n: number) => number): Uint8Array {
  const bytes = whole.slice();
  const at = int(3) === 0 ? bytes.length - 1 - int(800) : int(Math.min(bytes.length, 2000));
  switch (int(5)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      bytes[at] ^= 1 << int(8);
      return bytes;
    case 2:
      return bytes.fill([0, 127, 255][int(3)], at, at + 8);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + int(40))]);
    default:
      return Buffer.concat([bytes.subarray(0, at + int(40)), bytes.subarray(at)]);
  }
}
