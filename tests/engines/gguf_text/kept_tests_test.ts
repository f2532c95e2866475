import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keptTests } from "../../../lib/engines/gguf_text/kept_tests.ts";
import { withFolder } from "../../support/temporary_folder.ts";

/** A build of llama.cpp in a folder, and the folder of what is kept. */
const withBuild = (
  work: (build: { readonly path: string; readonly gpu: false }, kept: string) => Promise<void>,
): Promise<void> =>
  withFolder(async (folder) => {
    const home = join(folder, "bins");
    mkdirSync(home);
    for (const name of ["llama-addon.node", "libllama.so"]) writeFileSync(join(home, name), name);
    await work({ path: join(home, "llama-addon.node"), gpu: false }, join(folder, "tested"));
  });

const facts = (): readonly string[] => ["x64", "6.1"];

test("keptTests() takes a build once after it has worked, also in another process", async () => {
  await withBuild(async (build, folder) => {
    const tests = keptTests(folder, facts);
    assert.equal(await tests.take(build), false);
    await tests.worked(build);
    assert.equal(await keptTests(folder, facts).take(build), true);
    // Until it has worked again: the process that took it may have crashed, or be loading now.
    assert.equal(await keptTests(folder, facts).take(build), false);
    await tests.worked(build);
    const both = await Promise.all([tests.take(build), keptTests(folder, facts).take(build)]);
    assert.deepEqual(both.filter((taken) => taken).length, 1);
  });
});

test("keptTests() forgets a build when it or the machine has changed", async () => {
  await withBuild(async (build, folder) => {
    const library = join(build.path, "..", "libllama.so");
    const changes: readonly (() => void)[] = [
      () => writeFileSync(library, "another"),
      () => utimesSync(library, 1, 1),
      () => writeFileSync(join(build.path, "..", "libggml-cpu-new.so"), ""),
    ];
    for (const change of changes) {
      await keptTests(folder, facts).worked(build);
      change();
      assert.equal(await keptTests(folder, facts).take(build), false);
    }
    await keptTests(folder, facts).worked(build);
    assert.equal(await keptTests(folder, () => ["x64", "6.2"]).take(build), false);
    assert.equal(await keptTests(folder, () => undefined).take(build), false);
  });
});

test("keptTests() trusts no damaged note, no build for a GPU, and keeps nothing where it cannot be read again", async () => {
  await withBuild(async (build, folder) => {
    const tests = keptTests(folder, facts);
    await tests.worked(build);
    const [name] = readdirSync(folder);
    for (const damaged of ["", "{", "\0".repeat(100)]) {
      writeFileSync(join(folder, name), damaged);
      assert.equal(await tests.take(build), false);
    }
    for (const gpu of ["cuda", "vulkan", undefined]) {
      const other = { ...build, gpu };
      await tests.worked(other);
      assert.equal(await tests.take(other), false);
    }
    await keptTests(join(folder, name, "below a file"), facts).worked(build); // no error
    const missing = { ...build, path: join(folder, "gone", "llama-addon.node") };
    await tests.worked(missing);
    assert.equal(await tests.take(missing), false);
  });
});

test(
  "keptTests() tests again where what is kept cannot be taken away",
  { skip: process.getuid?.() === 0 },
  async () => {
    await withBuild(async (build, folder) => {
      const tests = keptTests(folder, facts);
      await tests.worked(build);
      chmodSync(folder, 0o500);
      try {
        assert.equal(await tests.take(build), false);
      } finally {
        chmodSync(folder, 0o700);
      }
    });
  },
);
