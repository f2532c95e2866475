import assert from "node:assert/strict";
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sharedBlobs } from "../../../fleet/files/shared_blobs.ts";
import { checkBlobStore } from "./store_contract.ts";

test("a shared folder keeps, lists and removes blobs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-blobs-"));
  try {
    await checkBlobStore(sharedBlobs(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a collection that was killed while it removed a blob has lost nothing, and left nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-blobs-"));
  try {
    const store = sharedBlobs(folder);
    const [a, b] = ["aa".repeat(32), `aa${"b".repeat(62)}`];
    for (const name of [a, b]) await store.put(name, new TextEncoder().encode(name));
    const [pathOfA, pathOfB] = [a, b].map((name) => join(folder, "aa", name));
    await rename(pathOfA, `${pathOfA}.removed`);
    await writeFile(`${pathOfB}.removed`, "an old one: it was put again meanwhile");
    await writeFile(join(folder, "aa", ".c.tmp"), "a write that was killed");
    await utimes(join(folder, "aa", ".c.tmp"), new Date(0), new Date(0));
    await writeFile(join(folder, "aa", "notes.txt"), "not ours");
    const found: string[] = [];
    for await (const { sha256 } of store.list()) found.push(sha256);
    assert.deepEqual(found.sort(), [a, b]);
    for (const name of [a, b]) assert.equal(new TextDecoder().decode(await store.get(name)), name);
    assert.deepEqual((await readdir(join(folder, "aa"))).sort(), [a, b, "notes.txt"].sort());
  } finally {
    await rm(folder, { recursive: true });
  }
});
