import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { convertWorld } from "../../../lib/store/convert/world/convert_world.ts";
import { encodeSafetensors, f32, openSafetensors, sizeOf } from "../../../lib/compute/tensor/mod.ts";
import { makeFolder } from "../../../lib/platform/files/work_folder.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { tinyArworld } from "../../support/tiny_arworld.ts";

const never = new AbortController().signal;

/** Writes the causal part of the tiny world and gives what converts it. */
function converter(folder: string) {
  const { causal } = tinyArworld();
  const source = join(folder, "source");
  mkdirSync(source);
  for (const [name, bytes] of causal) writeFileSync(join(source, name), bytes);
  const convert = (output: string, type: "f16" | "q8" = "q8", from = join(source, "model.safetensors")) =>
    convertWorld({ output: join(folder, output), parts: [{ part: "causal", source: from, type }] }, () => {}, never);
  return { convert, model: causal.get("model.safetensors")! };
}

test("of two conversions into one folder at once one is refused, and the other's result is whole", () =>
  withFolder(async (folder) => {
    const { convert } = converter(folder);
    const results = await Promise.allSettled([convert("out", "q8"), convert("out", "f16")]);
    const refused = results.flatMap((each) => each.status === "rejected" ? [each.reason] : []);
    assert.equal(refused.length, 1);
    assert.equal(refused[0].code, "unsuitable_files");
    assert.match(refused[0].message, /another conversion writes there, wait for its end/);
    const type = results[0].status === "fulfilled" ? "q8" : "f16";
    await convert("alone", type);
    const read = (name: string) => readFileSync(join(folder, name, "causal", "model.safetensors"));
    assert.deepEqual(read("out"), read("alone"));
    assert.equal(existsSync(join(folder, "out", "server.lock")), false);
  }));

test("numbers that are refused leave nothing of the weights before them", () =>
  withFolder(async (folder) => {
    const { convert, model } = converter(folder);
    const file = await openSafetensors("tiny", model);
    const tensors = new Map(
      await Promise.all([...file.tensors.keys()].map(async (name) => [name, await file.read(name)] as const)),
    );
    const last = [...tensors.keys()].at(-1)!;
    const { shape } = tensors.get(last)!;
    tensors.set(last, f32(shape, new Float32Array(sizeOf(shape)).fill(NaN)));
    const wrong = join(folder, "source", "wrong.safetensors");
    writeFileSync(wrong, encodeSafetensors(tensors));
    await assert.rejects(convert("out", "f16", wrong), { code: "checkpoint_refused", message: /NaN/ });
    assert.deepEqual(readdirSync(join(folder, "out"), { recursive: true }), ["causal"]);
  }));

test("a conversion names a place where nothing can be written, and replaces only what a conversion has made", () =>
  withFolder(async (folder) => {
    const { convert } = converter(folder);
    writeFileSync(join(folder, "file"), "");
    for (const output of ["file", join("file", "below")]) {
      await assert.rejects(convert(output), { code: "unsuitable_files", message: /cannot be written \(ENOTDIR\)/ });
    }
    mkdirSync(join(folder, "mine", "causal"), { recursive: true });
    const mine = join(folder, "mine", "causal", "model.safetensors");
    for (const bytes of [Uint8Array.of(1, 2, 3), encodeSafetensors(new Map([["x", f32([1], [1])]]))]) {
      writeFileSync(mine, bytes);
      await assert.rejects(convert("mine"), { code: "output_exists", message: /no conversion has made it/ });
      assert.deepEqual(new Uint8Array(readFileSync(mine)), bytes);
    }
    await convert("again", "q8");
    const result = join(folder, "again", "causal", "model.safetensors");
    const whole = readFileSync(result);
    await convert("again", "f16");
    assert.notDeepEqual(readFileSync(result), whole);
    writeFileSync(result, "damaged"); // conversion.json says that it was one of ours
    await convert("again", "q8");
    assert.deepEqual(readFileSync(result), whole);
  }));

test("makeFolder() ends where a folder can exist but nothing can be made in it", async (t) => {
  if (process.platform !== "linux") return t.skip("there is no /proc");
  await assert.rejects(makeFolder("/proc/nothing/below"), { code: /ENOENT|EACCES/ });
});
