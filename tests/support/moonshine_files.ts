/**
 * The files of Moonshine Tiny (English), out of the last wheel of `moonshine-voice` that carries them.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Files by the SHA-256 of their contents. */
const MODEL_FILES: Readonly<Record<string, string>> = {
  "encoder_model.ort": "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221",
  "decoder_model_merged.ort": "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0",
  "tokenizer.bin": "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d",
};

const VERSION = "0.0.59";

/** Fetches the wheel with pip, and takes the model and the recordings out of it. */
const FETCH = `
import pathlib, subprocess, sys, tempfile, zipfile
folder = pathlib.Path(sys.argv[1])
with tempfile.TemporaryDirectory() as t:
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
                    "-d", t, "moonshine-voice==${VERSION}"], check=True, capture_output=True, timeout=240)
    with zipfile.ZipFile(next(pathlib.Path(t).glob("*.whl"))) as wheel:
        for name in wheel.namelist():
            if "/assets/" in name and name.endswith((".ort", ".bin", ".wav")):
                (folder / pathlib.PurePosixPath(name).name).write_bytes(wheel.read(name))
`;

/** A folder with the files and two recordings, or why there is none. */
export type MoonshineFiles = { readonly ok: true; readonly folder: string } | {
  readonly ok: false;
  readonly reason: string;
};

let found: Promise<MoonshineFiles> | undefined;

/**
 * Finds the files in the folder that `SVC_MOONSHINE` names, or fetches them once into the cache of the tests.
 *
 * @param fetch Whether they may be fetched.
 */
export function moonshineFiles(fetch = true): Promise<MoonshineFiles> {
  return found ??= find(fetch);
}

async function find(fetch: boolean): Promise<MoonshineFiles> {
  const cache = fileURLToPath(new URL(`../../node_modules/.cache/svc/moonshine-voice-${VERSION}`, import.meta.url));
  const folder = process.env.SVC_MOONSHINE ?? cache;
  if (await isWhole(folder)) return { ok: true, folder };
  if (!fetch) return { ok: false, reason: `the files of moonshine-voice ${VERSION} are not in ${folder}` };
  try {
    await mkdir(cache, { recursive: true });
    await promisify(execFile)("python3", ["-c", FETCH, cache], { timeout: 300_000 });
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1);
    return { ok: false, reason: `pip could not fetch moonshine-voice ${VERSION} (${reason})` };
  }
  if (await isWhole(cache)) return { ok: true, folder: cache };
  return { ok: false, reason: `the wheel of moonshine-voice ${VERSION} holds other files than expected` };
}

async function isWhole(folder: string): Promise<boolean> {
  const checks = Object.entries(MODEL_FILES).map(async ([name, expected]) => {
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    return bytes !== undefined && createHash("sha256").update(bytes).digest("hex") === expected;
  });
  return (await Promise.all(checks)).every(Boolean);
}
