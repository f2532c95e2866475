/** Builds the npm package: lib, servers and cli as JavaScript with type declarations in dist/. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { install, root } from "./install.mjs";

const sources = [
  "mod.ts",
  "lib",
  "fleet",
  "servers",
  "cli",
  "kernels-wgsl/generated.ts",
  "api-page/generated.ts",
  "vision-page/generated.ts",
  "world-page/generated.ts",
  "tsconfig.json",
  "package-lock.json",
];
const stamp = new URL("dist/cli/main.js", root);

function newest(path) {
  const info = statSync(path);
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(info.mtimeMs, ...readdirSync(path).map((name) => newest(new URL(`${path.href}/${name}`))));
}

/** Compiles into dist/ when a source is newer than the last build. */
export function build() {
  install();
  if (existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...sources.map((s) => newest(new URL(s, root))))) return;
  rmSync(new URL("dist", root), { recursive: true, force: true });
  const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
  const { status } = spawnSync(process.execPath, [tsc, "-p", fileURLToPath(new URL("tsconfig.json", root))], {
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) {
    // The compiler writes files despite errors: what is left must not pass for a build.
    rmSync(new URL("dist", root), { recursive: true, force: true });
    process.exit(1);
  }
  const lib = fileURLToPath(new URL("dist/lib", root));
  bundle(join(lib, "manifest/mod.js"));
  const outside = readdirSync(lib).filter((name) => name !== "protocol").map((name) => join(lib, name, "*"));
  bundle(join(lib, "protocol/mod.js"), { packages: "external", external: outside });
  chmodSync(stamp, 0o755);
}

/**
 * Makes one file of an opener and what it imports, instead of forty: Node takes about half a millisecond for each file
 * that it imports. What is external stays where it is, so that its classes are the same for all.
 */
function bundle(module, external = {}) {
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  buildSync({
    entryPoints: [module],
    outfile: module,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    target: "es2023",
    ...external,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build();
