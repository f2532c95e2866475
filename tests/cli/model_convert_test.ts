import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openSafetensors } from "../../lib/compute/tensor/mod.ts";
import { withModelMachine } from "../support/model_machine.ts";

const data = new URL("../models/checkpoint/torch/data/", import.meta.url);
const convert = ["convert", "--kind", "tensors"] as const;

test("svc model convert turns a torch checkpoint into safetensors, and finds what it made before", () =>
  withModelMachine(async ({ home, out, run }) => {
    copyFileSync(new URL("plain.pth", data), join(home, "plain.pth"));
    const output = join(home, "plain.safetensors");
    assert.equal(await run(...convert, join(home, "plain.pth"), "-o", output), 0);
    assert.match(out[0], /^Wrote .*plain\.safetensors \(12 tensors, /);
    const bytes = new Uint8Array(readFileSync(output));
    const { tensors, read, metadata } = await openSafetensors(output, bytes);
    assert.match(metadata.get("source_sha256") ?? "", /^[0-9a-f]{64}$/);
    assert.deepEqual([...tensors.get("a.t")!.shape], [6, 4]);
    assert.deepEqual([...(await read("a.part")).data], [8, 9, 10, 14, 15, 16]);
    assert.equal(await run(...convert, join(home, "plain.pth"), "-o", output), 0);
    assert.match(out[1], /^Found /);
    assert.deepEqual(new Uint8Array(readFileSync(output)), bytes);
    assert.deepEqual(readdirSync(home).filter((name) => name.endsWith(".tmp")), []);
  }));

test("svc model convert joins the shards of an index, and takes a folder with one checkpoint", () =>
  withModelMachine(async ({ home, out, run }) => {
    const shards = join(home, "shards");
    mkdirSync(shards);
    copyFileSync(new URL("float8.pt", data), join(shards, "a.bin"));
    copyFileSync(new URL("trainer.ckpt", data), join(shards, "b.bin"));
    const index = { weight_map: { f8: "a.bin", w: "b.bin" } };
    writeFileSync(join(shards, "pytorch_model.bin.index.json"), JSON.stringify(index));
    const first = join(home, "one.safetensors");
    assert.equal(await run(...convert, shards, "-o", first), 0);
    assert.match(out[0], /2 tensors/);
    const folder = join(home, "folder");
    mkdirSync(folder);
    copyFileSync(first, join(folder, "model.safetensors"));
    assert.equal(await run(...convert, folder, "-o", join(home, "two.safetensors")), 0);
    assert.match(out[1], /2 tensors/);
    writeFileSync(join(shards, "pytorch_model.bin.index.json"), `{"weight_map":{"w":"../plain.pth"}}`);
    await assert.rejects(run(...convert, shards, "-o", join(home, "x.safetensors")), { code: "checkpoint_refused" });
  }));

test("svc model convert writes nothing when it refuses, and replaces nothing", () =>
  withModelMachine(async ({ home, run }) => {
    const output = join(home, "x.safetensors");
    for (const name of ["foreign.ckpt", "module.pt", "two_parts.pt"]) {
      copyFileSync(new URL(name, data), join(home, name));
      await assert.rejects(run(...convert, join(home, name), "-o", output), { code: "checkpoint_refused" });
    }
    assert.equal(existsSync(output), false);
    writeFileSync(output, "mine");
    copyFileSync(new URL("plain.pth", data), join(home, "plain.pth"));
    await assert.rejects(run(...convert, join(home, "plain.pth"), "-o", output), { code: "output_exists" });
    assert.equal(readFileSync(output, "utf8"), "mine");
    await assert.rejects(run(...convert, join(home, "none"), "-o", output), { code: "unsuitable_files" });
    await assert.rejects(run("convert", join(home, "plain.pth"), "-o", output), /--kind is missing/);
    await assert.rejects(run(...convert, join(home, "plain.pth"), "-o", "x.bin"), /expected -o FILE\.safetensors/);
  }));
