/**
 * Tries the npm package as a user has it: packs it, unpacks it where only its dependencies are around, imports every
 * entry point and runs the command line tool. Its folder lies below node_modules so that dependencies resolve.
 */
// deno-lint-ignore-file no-console
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "./install.mjs";

const cwd = fileURLToPath(root);
const home = fileURLToPath(new URL("node_modules/.cache/smoke/", root));
const target = `${home}node_modules/@svc/sdk/`;
rmSync(home, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const shell = process.platform === "win32";
const packed = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--pack-destination", home], { cwd, shell, encoding: "utf8" }),
);
// npm 12 prints an object keyed by package name where earlier versions print an array.
const [{ filename, size, unpackedSize }] = Array.isArray(packed) ? packed : Object.values(packed);
execFileSync("tar", ["-xzf", filename, "-C", target, "--strip-components=1"], { cwd: home });

const manifest = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const entries = Object.keys(manifest.exports).map((path) => path.replace(/^\./, manifest.name));
writeFileSync(`${home}imports.mjs`, entries.map((e) => `await import("${e}");`).join("\n"));
execFileSync(process.execPath, ["imports.mjs"], { cwd: home, stdio: "inherit" });

// The declarations must resolve for users of both kinds of module resolution.
writeFileSync(
  `${home}types.mts`,
  `${entries.map((e, i) => `import type * as m${i} from "${e}";`).join("\n")}
export type Loaded = [${entries.map((_, i) => `typeof m${i}`).join(", ")}];
import { openWorld, type World } from "${manifest.name}";
export const world: Promise<World> = openWorld({ seed: 1n });
`,
);
const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
for (const resolution of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
  const [module, moduleResolution] = resolution;
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--target",
    "es2023",
    "--lib",
    "esnext,dom",
    "--types",
    "node",
  ];
  execFileSync(process.execPath, [
    tsc,
    ...options,
    "--module",
    module,
    "--moduleResolution",
    moduleResolution,
    "types.mts",
  ], {
    cwd: home,
    stdio: "inherit",
  });
}

const version = execFileSync(process.execPath, [`${target}dist/cli/main.js`, "--version"], {
  cwd: home,
  encoding: "utf8",
});
if (!version.includes(manifest.version)) {
  throw new Error(`svc --version printed ${version.trim()}, expected ${manifest.version}`);
}

execFileSync(process.execPath, [`${target}dist/cli/main.js`, "world", "walk", "w", "l", "-o", "walk.mp4"], {
  cwd: home,
  stdio: "inherit",
});
const bytes = readFileSync(`${home}walk.mp4`);
if (bytes.toString("latin1", 4, 8) !== "ftyp") throw new Error("svc world walk did not write an MP4 file");

// A model is added and answers: the engine's process is one of the package too.
const models = `${home}models/`;
execFileSync(process.execPath, ["--import", "tsx", "tests/fixtures/tiny_models/make.ts", models], {
  cwd,
  stdio: "ignore",
});
const svc = (...args) =>
  execFileSync(process.execPath, [`${target}dist/cli/main.js`, ...args], {
    cwd: home,
    encoding: "utf8",
    env: { ...process.env, SVC_HOME: `${home}svc`, SVC_MODELS_DIR: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
svc("model", "add", `${models}tiny-chat`, "--id", "tiny-chat");
const answer = svc("chat", "tiny-chat", "hi");
if (!answer.startsWith("Hello!")) throw new Error(`svc chat printed ${answer}`);

console.log(`${filename}: ${(size / 1e6).toFixed(1)} MB packed, ${(unpackedSize / 1e6).toFixed(1)} MB unpacked, works`);
