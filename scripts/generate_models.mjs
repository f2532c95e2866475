/**
 * Writes lib/app/embedded/generated.ts: the packages that hold models, with the hash of every file.
 *
 *   node scripts/generate_models.mjs
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { makeModels, root } from "./install.mjs";

const TARGET = new URL("lib/app/embedded/generated.ts", root);

/** Packages with a model: the folder of `packages/`, and what its manifest says. */
export function modelPackages() {
  return readdirSync(new URL("packages/", root)).sort().flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(new URL(`packages/${folder}/package.json`, root), "utf8"));
    return manifest.svc?.model === undefined ? [] : [{ folder, manifest, model: manifest.svc.model }];
  });
}

/**
 * Files of a model, without what only people read.
 *
 * @param {string} model
 */
export function modelFiles(model) {
  makeModels();
  const folder = new URL(`models/${model}/`, root);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== "README.md" && statSync(new URL(path, folder)).isFile())
    .sort();
}

/** The text of the module. */
export function modelsModule() {
  makeModels();
  const rows = modelPackages().map(({ manifest: { name, version }, model }) => {
    const files = modelFiles(model).map((path) => {
      const content = readFileSync(new URL(`models/${model}/${path}`, root));
      return { path, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
    });
    const sha256 = createHash("sha256").update(JSON.stringify(files)).digest("hex");
    return [model, { name, version, sha256, files }];
  });
  const text = JSON.stringify(Object.fromEntries(rows), null, 2).replaceAll(/^( *)"([a-z]\w*)":/gim, "$1$2:");
  return `// Written by scripts/generate_models.mjs from packages/ and models/; do not edit.
// deno-fmt-ignore-file
import type { ModelPackage } from "./model_package.ts";

type Model = ${rows.map(([model]) => JSON.stringify(model)).join(" | ")};

/** The packages that hold models, by the model's id. */
export const modelPackages: Readonly<Record<Model, ModelPackage>> = ${text};
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, modelsModule());
