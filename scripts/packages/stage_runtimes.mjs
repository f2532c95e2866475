/**
 * The packages of ONNX Runtime, one for each platform: `onnxruntime-node` has the files of all, 300 MB, and an install
 * script that asks another host for CUDA libraries. Each is that package with the files of one platform and without the
 * script, under its version.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";
import { NOTICES, noticesOfRuntime } from "../notices/write_notices.mjs";
import { put, write, writeJson } from "./put_files.mjs";

const home = fileURLToPath(root);
const source = join(home, "node_modules/onnxruntime-node");
const natives = "bin/napi-v6";
const original = () => JSON.parse(readFileSync(join(source, "package.json"), "utf8"));

/** The platforms that there are files for, and the names of their packages. */
function platforms() {
  return readdirSync(join(source, natives)).flatMap((os) =>
    readdirSync(join(source, natives, os)).map((cpu) => ({ os, cpu, name: `@svc/onnxruntime-${os}-${cpu}` }))
  );
}

/** The names of the folders that {@linkcode stageRuntimes} lays out. */
export function runtimeFolders() {
  return platforms().map(({ name }) => name.slice("@svc/".length));
}

/** The optional dependencies of the SDK: npm installs the one whose platform it runs on. */
export function runtimeDependencies() {
  const { version } = original();
  return Object.fromEntries(platforms().map(({ name }) => [name, version]));
}

/**
 * Lays out the packages as `FOLDER/onnxruntime-OS-CPU`.
 *
 * @param {string} folder
 * @param {object} common fields of every manifest
 */
export function stageRuntimes(folder, common) {
  const { version, main, types, dependencies } = original();
  const loader = readFileSync(join(home, "lib/platform/modules/onnx_runtime_package.ts"), "utf8");
  if (!loader.includes(`VERSION = "${version}"`)) {
    throw new Error(
      `Cannot lay out ONNX Runtime: onnxruntime-node is ${version}, and lib/platform/modules/onnx_runtime_package.ts ` +
        "names another version, write it there",
    );
  }
  for (const { os, cpu, name } of platforms()) {
    const target = join(folder, name.slice("@svc/".length));
    for (const path of [...filesBelow("dist"), ...filesBelow(`${natives}/${os}/${cpu}`)]) {
      if (!path.endsWith(".map")) put(join(source, path), join(target, path));
    }
    put(join(home, "LICENSE"), join(target, "LICENSE"));
    write(join(target, NOTICES), noticesOfRuntime(name, os));
    write(join(target, "README.md"), readme(name, version));
    writeJson(join(target, "package.json"), {
      ...{ name, version, description: `ONNX Runtime ${version} for ${os} on ${cpu}: the files of onnxruntime-node` },
      ...{ ...common, main, types },
      os: [os],
      cpu: [cpu],
      ...os === "linux" && { libc: ["glibc"] },
      dependencies: { "onnxruntime-common": dependencies["onnxruntime-common"] },
    });
  }
}

function filesBelow(/** @type {string} */ folder) {
  return readdirSync(join(source, folder)).map((name) => `${folder}/${name}`);
}

function readme(/** @type {string} */ name, /** @type {string} */ version) {
  return `# ${name}

The files of [onnxruntime-node](https://www.npmjs.com/package/onnxruntime-node) ${version} by Microsoft, unmodified, for
one platform; without its install script, which asks for CUDA libraries. \`@svc/sdk\` depends on it. Where
\`onnxruntime-node\` itself is installed, the SDK uses that.
`;
}
