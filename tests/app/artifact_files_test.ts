import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ARTIFACT_LIFETIME, openArtifactStore } from "../../lib/app/models/vision_files.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { withFolder } from "../support/temporary_folder.ts";

const entry = { kind: "depth-exr", path: "views/a.exr", mediaType: "image/x-exr", byteCount: 1, sha256: "0" };

function result(folder: string): string {
  mkdirSync(join(folder, "views"), { recursive: true });
  writeFileSync(join(folder, "views", "a.exr"), "x");
  return folder;
}

// @row model-api > Limits > vision artifacts: one hour
test("openArtifactStore() keeps a result for one hour by its clock", () =>
  withFolder(async (home) => {
    const clock = new FakeClock();
    const root = join(home, "root");
    const store = await openArtifactStore(clock, () => crypto.randomUUID(), root);
    const { id, url } = await store.keep(result(join(home, "one")), [entry]);
    const path = fileURLToPath(url("views/a.exr"));
    assert.equal(existsSync(join(home, "one")), false);
    assert.equal(statSync(join(root, readdirSync(root)[0])).mode & 0o77, 0);
    assert.deepEqual(store.find(id, "views/a.exr"), { path, mediaType: "image/x-exr" });
    for (const name of ["views/b.exr", "../one", "views/../views/a.exr", ""]) {
      assert.equal(store.find(id, name), undefined);
    }
    await clock.advance(ARTIFACT_LIFETIME / 1000 - 1);
    assert.ok(existsSync(path) && store.find(id, "views/a.exr"));
    await clock.advance(1);
    assert.equal(store.find(id, "views/a.exr"), undefined);
    await gone(path);
    await store.close();
  }));

test("openArtifactStore() removes what a killed server left, and everything when it closes", () =>
  withFolder(async (home) => {
    const root = join(home, "root");
    mkdirSync(root, { mode: 0o700 });
    const dead = join(root, `${2 ** 22 + 12345}-dead`, "id", "views");
    mkdirSync(dead, { recursive: true });
    const store = await openArtifactStore(new FakeClock(), () => crypto.randomUUID(), root);
    assert.deepEqual(readdirSync(root), []);
    const { url } = await store.keep(result(join(home, "one")), [entry]);
    const second = await openArtifactStore(new FakeClock(), () => crypto.randomUUID(), root);
    assert.ok(existsSync(fileURLToPath(url("views/a.exr"))), "another server's start leaves those of a running one");
    await store.close();
    await second.close();
    assert.deepEqual(readdirSync(root), []);
  }));

async function gone(path: string): Promise<void> {
  while (existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
}
