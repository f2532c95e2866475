import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import process from "node:process";
import { after, test } from "node:test";
import { modelPackages } from "../../../lib/app/embedded/generated.ts";
import { makeSharedAutoencoder } from "../../../lib/app/embedded/shared_autoencoder.ts";

const HELD = "corridor-nano/base/vae.safetensors";
const MADE = "vae/diffusion_pytorch_model.safetensors";
const models = await mkdtemp(join(tmpdir(), "svc-models-"));
after(() => rm(models, { recursive: true }));
await mkdir(join(models, dirname(HELD)), { recursive: true });
await mkdir(join(models, "corridor-nano-actions/vae"), { recursive: true });
await copyFile(fileURLToPath(new URL(`../../../models/${HELD}`, import.meta.url)), join(models, HELD));
const made = join(models, "corridor-nano-actions", MADE);

test("makeSharedAutoencoder() makes the file that the packages hold, whoever is first", async () => {
  await Promise.all([makeSharedAutoencoder(models), makeSharedAutoencoder(models)]);
  const bytes = await readFile(made);
  const published = modelPackages["corridor-nano-actions"].files.find(({ path }) => path === MADE);
  assert.deepEqual(
    { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") },
    { bytes: published?.bytes, sha256: published?.sha256 },
  );
  assert.deepEqual(await readdir(dirname(made)), ["diffusion_pytorch_model.safetensors"]);
});

test("makeSharedAutoencoder() leaves a file that is there", async () => {
  const { mtimeMs, ino } = await stat(made);
  await makeSharedAutoencoder(models);
  const now = await stat(made);
  assert.deepEqual([now.mtimeMs, now.ino], [mtimeMs, ino]);
});

test("makeSharedAutoencoder() makes it once more where weights have come since", async () => {
  const bytes = await readFile(made);
  await writeFile(made, "made of earlier weights");
  await utimes(made, 1, 1);
  await makeSharedAutoencoder(models);
  assert.deepEqual(await readFile(made), bytes);
});

/** Whether the folder can be made read-only, for this user or for another one that this process becomes meanwhile. */
const isRoot = process.getuid?.() === 0;
const lockable = process.platform !== "win32" && (!isRoot || process.seteuid !== undefined);

async function withLockedFolder(work: () => Promise<void>): Promise<void> {
  await chmod(models, 0o755);
  await chmod(dirname(made), 0o555);
  if (isRoot) process.seteuid!(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid!(0);
    await chmod(dirname(made), 0o755);
  }
}

test("makeSharedAutoencoder() takes a file that a copy of the clone has made older", async (t) => {
  if (!lockable) return t.skip("nothing is read-only");
  await utimes(made, 1, 1);
  await withLockedFolder(() => makeSharedAutoencoder(models));
  const bytes = await readFile(made);
  await writeFile(made, bytes.map((byte, i) => i < bytes.length - 1 ? byte : byte ^ 1));
  await utimes(made, 1, 1);
  await withLockedFolder(() => assert.rejects(makeSharedAutoencoder(models), { code: "disk_full" }));
});

test("makeSharedAutoencoder() says what to do where the clone cannot be written", async (t) => {
  if (!lockable) return t.skip("nothing is read-only");
  await rm(made);
  await withLockedFolder(() =>
    assert.rejects(makeSharedAutoencoder(models), { code: "disk_full", message: /run scripts\/make_models\.ts/ })
  );
  await makeSharedAutoencoder(models);
});

test("makeSharedAutoencoder() leaves nothing behind where its source is missing", async () => {
  await rm(made);
  await rm(join(models, HELD));
  await assert.rejects(makeSharedAutoencoder(models), { code: "ENOENT" });
  assert.deepEqual(await readdir(dirname(made)), []);
});
