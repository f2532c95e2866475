/** What is published that others wrote: packages that npm installs, and modules that are bundled into pages. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bundlePage } from "../generate_page.mjs";
import { visionPageParts } from "../generate_vision_page.mjs";
import { root } from "../install.mjs";
import { bundlePages } from "../site/bundle_pages.mjs";
import { bundleWorld } from "../site/bundle_world.mjs";
import { compiledInto } from "./compiled_in.mjs";

const home = fileURLToPath(root);
const read = (/** @type {string} */ path) => JSON.parse(readFileSync(join(home, path), "utf8"));

/**
 * A package; `folder` is where it lies here, and undefined where it is for another platform.
 *
 * @typedef {{ name: string, version: string, licence: string, folder: string | undefined }} Package
 */

/** @type {{ packages: Map<string, Package>, needs: Map<string, string[]> } | undefined} */
let known;

/** All packages of the lock file and what each needs, as npm's own bill of materials says, for every platform. */
function billOfMaterials() {
  if (known !== undefined) return known;
  const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
  // On Windows npm is a batch file, which only a shell can start.
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: home,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`Cannot list the packages: npm sbom failed, expected npm 10 or later\n${stderr}`);
  const { components, dependencies } = JSON.parse(stdout);
  const locked = Object.entries(read("package-lock.json").packages).reverse();
  const entryOf = new Map(locked.map(([path, entry]) => [
    `${path.replace(/^.*node_modules\//, "")}@${entry.version}`,
    { path, ...entry },
  ]));
  const packages = components.map((component) => {
    const { version, licenses = [] } = component;
    const licence = licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(" AND ");
    const folder = entryOf.get(component["bom-ref"])?.path;
    const here = folder !== undefined && existsSync(join(home, folder, "package.json")) ? folder : undefined;
    // Its `name` is that of a folder, which an alias names otherwise.
    return [component["bom-ref"], { name: nameOf(component["bom-ref"]), version, licence, folder: here }];
  });
  // A peer is somebody else's dependency. `--omit=peer` would leave out what is a dependency of the root as well.
  const isNeeded = (/** @type {string} */ ref, /** @type {string} */ other) => {
    const { dependencies, optionalDependencies, peerDependencies } = entryOf.get(ref) ?? {};
    const name = nameOf(other);
    return peerDependencies?.[name] === undefined || { ...dependencies, ...optionalDependencies }[name] !== undefined;
  };
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn.filter((one) => isNeeded(ref, one))]));
  return known = { packages: new Map(packages), needs };
}

function nameOf(/** @type {string} */ ref) {
  return ref.slice(0, ref.lastIndexOf("@"));
}

/** Packages that the named ones of the root need, and they themselves, by name. */
function closureOf(/** @type {string[]} */ names) {
  const { packages, needs } = billOfMaterials();
  const { name, version } = read("package.json");
  const wanted = new Set(names);
  const found = new Set((needs.get(`${name}@${version}`) ?? []).filter((ref) => wanted.has(nameOf(ref))));
  if (found.size !== wanted.size) throw new Error(`Cannot find ${names.join(", ")} in what npm sbom lists`);
  for (const ref of found) for (const other of needs.get(ref) ?? []) found.add(other);
  return [...found].sort().map((ref) => /** @type {Package} */ (packages.get(ref)));
}

/** What `npm install @svc/sdk` installs besides the SDK, on whatever platform. */
export function packagesOfSdk() {
  return closureOf(Object.keys(read("package.json").dependencies));
}

/** What `npm install @svc/fleet` installs besides the fleet and the SDK. */
export function packagesOfFleet() {
  return closureOf(Object.keys(read("packages/fleet/package.json").dependencies));
}

/**
 * Optional peers of the SDK, without what they need: nobody gets them who does not install them.
 *
 * @returns {Package[]}
 */
export function optionalPeers() {
  return Object.keys(read("package.json").peerDependencies).sort()
    .map((name) => packageAt(`node_modules/${name}`));
}

/** Packages whose modules are in the pages that the SDK holds as strings. */
export async function bundledInSdk() {
  const metafiles = [(await bundlePage()).metafile, (await visionPageParts()).metafile];
  return packagesIn(metafiles);
}

/** Packages whose modules are in the scripts of the site. */
export async function bundledInSite() {
  const folder = mkdtempSync(join(tmpdir(), "svc-notices-"));
  try {
    return packagesIn([(await bundleWorld(folder)).metafile, (await bundlePages(folder)).metafile]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The packages that bundles have modules of. */
export function packagesIn(/** @type {{ inputs: Record<string, unknown> }[]} */ metafiles) {
  const paths = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = paths.flatMap((path) =>
    /(?:^|\/)(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []
  );
  return [...new Set(folders)].sort().map(packageAt);
}

/** @returns {Package} */
function packageAt(/** @type {string} */ folder) {
  const { name, version, license } = read(`${folder}/package.json`);
  return { name, version, licence: license ?? "", folder };
}

/** Where the source of a package is, from its manifest. */
export function sourceOf(/** @type {Package} */ { name, folder }) {
  if (folder === undefined) {
    throw new Error(`Cannot say where the source of ${name} is: it is not installed, run npm ci`);
  }
  const { repository } = read(`${folder}/package.json`);
  return (repository?.url ?? repository ?? "").replace(/^git\+|\.git$/g, "");
}

/** What a package says about its terms: licences and notices, or a readme that lists those of what it has compiled in. */
export function licenceFiles(/** @type {Package} */ { folder }) {
  if (folder === undefined) return [];
  const text = (/** @type {string} */ name) =>
    readFileSync(join(home, folder, name), "utf8").replaceAll("\r\n", "\n").trim();
  const names = readdirSync(join(home, folder)).sort();
  const about = names.filter((name) => /^(licen[cs]e|copying|notice|third.?party)/i.test(name)).map(text);
  if (about.length > 0) return about;
  return names.filter((name) => /^readme/i.test(name)).map(text).filter((one) => /^## Licensing$/m.test(one));
}

/** Whether a package holds machine code or WebAssembly, in files of its own or in its scripts. */
export function hasCompiledCode(/** @type {string} */ folder) {
  const paths = readdirSync(join(home, folder), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/")).filter((path) => !/(^|\/)node_modules\//.test(path));
  return paths.some((path) => {
    if (/\.(wasm|node|dll|dylib|so(\.\d+)*)$/.test(path)) return true;
    if (!/\.[cm]?js$/.test(path)) return false;
    return /WebAssembly\.(Module|compile|instantiate)|AGFzbQ/.test(readFileSync(join(home, folder, path), "latin1"));
  });
}

/** Everything of a package that has a licence: its own, and that of each component that it has compiled in. */
export function licencesOf(/** @type {Package} */ { name, licence }) {
  return [licence, ...(compiledInto(name) ?? []).map((component) => component.licence)];
}
