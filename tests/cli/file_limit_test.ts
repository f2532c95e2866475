import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { diskError } from "../../lib/platform/files/disk_error.ts";
import { diskReason } from "../../lib/platform/files/disk_reason.ts";
import { keptWorld } from "../support/kept_world.ts";
import { runSvc } from "../support/run_svc.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { tinyArworld } from "../support/tiny_arworld.ts";

const skip = process.platform === "win32" && "this system limits no files";

test("diskError() names a full disk and one that takes no such file, and leaves other errors alone", () => {
  const full = diskError(Object.assign(new Error(), { code: "ENOSPC" }), "Cannot x", "; more") as Error;
  assert.equal(full.message, "Cannot x: the disk is full, free some space and try again; more");
  assert.equal((full as { code?: string }).code, "disk_full");
  for (const error of [Object.assign(new Error(), { code: "EFBIG" }), new Error("File too large (os error 27)")]) {
    const named = diskError(error, "Cannot x", "; more") as { code?: string; message?: string };
    assert.equal(named.code, "write_failed");
    assert.equal(named.message, "Cannot x: the disk takes no files of this size, choose another location");
  }
  const other = new Error("File too small");
  assert.equal(diskError(other, "Cannot x"), other);
  assert.equal(diskReason(other), undefined);
});

test(
  "a conversion whose file the disk cuts off says so, and continues once there is room",
  { skip },
  () =>
    withFolder(async (folder) => {
      const source = join(folder, "vae.safetensors");
      writeFileSync(source, tinyArworld().base.get("vae.safetensors")!);
      const convert = (output: string, fileBlocks?: number) =>
        runSvc(folder, ["model", "convert", "--kind", "arworld", "--vae", source, "--dtype", "f32", "-o", output], {
          ...fileBlocks !== undefined && { fileBlocks },
        });
      const [cut, whole] = [join(folder, "cut"), join(folder, "whole")];
      const { status, stderr } = await convert(cut, 200);
      assert.equal(status, 1, stderr);
      assert.match(stderr, /svc: Cannot convert \S+: the disk takes no files of this size, choose another location\n$/);
      assert.deepEqual(readdirSync(join(cut, "base")).sort(), ["vae.safetensors.journal", "vae.safetensors.partial"]);
      for (const output of [cut, whole]) assert.equal((await convert(output)).status, 0);
      const [found, expected] = [cut, whole].map((output) => readFileSync(join(output, "base", "vae.safetensors")));
      assert.ok(found.equals(expected));
    }),
);

test("an export whose file the disk cuts off says so and leaves nothing", { skip }, () =>
  withFolder(async (folder) => {
    const state = join(folder, "state");
    const world = await keptWorld(state);
    await world.begin();
    await world.move("forward");
    const out = join(folder, "out");
    mkdirSync(out);
    const run = (fileBlocks?: number) =>
      runSvc(folder, ["world", "export", "--state-directory", state, join(out, "world.svcw")], {
        ...fileBlocks !== undefined && { fileBlocks },
      });
    const { status, stderr } = await run(1);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /svc: Cannot write \S+world\.svcw: the disk takes no files of this size, choose another/);
    assert.deepEqual(readdirSync(out), []);
    assert.equal((await run()).status, 0);
    assert.ok(existsSync(join(out, "world.svcw")));
  }));
