/**
 * Writes the notices of third parties: what a package, a binary, an image or the site holds or brings along that others
 * wrote, under which licences, and how their terms are met.
 *
 *   node scripts/notices/write_notices.mjs               THIRD_PARTY_NOTICES.md of @svc/sdk, without the texts
 *   node scripts/notices/write_notices.mjs image FILE    those of the container image, with the texts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";
import { ONNXRUNTIME_WEB } from "../site/package_files.mjs";
import { compiledInto, DENO_RUNTIME } from "./compiled_in.mjs";
import { licenceTexts } from "./licence_texts.mjs";
import { identifiersOf, REVIEWED } from "./reviewed_licences.mjs";
import {
  bundledInSdk,
  bundledInSite,
  licencesOf,
  optionalPeers,
  packagesOfFleet,
  packagesOfSdk,
  sourceOf,
} from "./third_party.mjs";

/** @typedef {import("./third_party.mjs").Package} Package */
/** @typedef {import("./compiled_in.mjs").Component} Component */

/** The name of the file in every package. */
export const NOTICES = "THIRD_PARTY_NOTICES.md";

const H264 =
  "H.264 is covered by patents in some countries, whatever the licence of an encoder: who distributes video " +
  "or encoders there may need a licence of a patent pool (https://www.via-la.com). svc encodes video with " +
  "`h264-mp4-encoder`, or with an encoder that the user installs.";

/** Those of `@svc/sdk`. */
export async function noticesOfSdk() {
  const sections = [
    {
      title: "In the package",
      about: "Bundled into the pages that it serves.",
      packages: await bundledInSdk(),
      texts: true,
    },
    {
      title: "Installed with it",
      about: "By npm, from packages of their own, each with its licence. Those for other platforms it leaves out.",
      packages: packagesOfSdk(),
    },
    {
      title: "Optional",
      about: "In nothing that this project publishes but the image for GPUs, which has `webgpu`: users install them.",
      packages: optionalPeers(),
      apart: true,
    },
  ];
  return notices("@svc/sdk", sections);
}

/**
 * Those of a package that is laid out from `packages/`.
 *
 * @param {string} name
 * @param {{ fleet?: boolean, model?: string }} kind the field `svc` of its manifest
 */
export function noticesOfPackage(name, { fleet = false, model }) {
  if (fleet) {
    const about = "By npm, from packages of their own; `@svc/sdk`, its peer, has notices of its own.";
    return notices(name, [{ title: "Installed with it", about, packages: packagesOfFleet() }]);
  }
  const own = "The package holds nothing that others wrote, and installs nothing.";
  const weights = " The weights were trained in this project by its own recipes; they are under the MIT licence too.";
  return `# Third-party notices of ${name}

${own}${model === undefined ? "" : weights}
`;
}

/**
 * Those of ONNX Runtime for one platform, with the texts.
 *
 * @param {string} name
 * @param {string} os as `process.platform` has it
 */
export function noticesOfRuntime(name, os) {
  const own = packagesOfSdk().filter((one) => one.name === "onnxruntime-node");
  const common = packagesOfSdk().filter((one) => one.name === "onnxruntime-common");
  const about =
    `Its files for ${os}, unmodified; components that are only in those of other systems are named with it.`;
  return notices(name, [
    { title: "In the package", about, packages: own, texts: true },
    { title: "Installed with it", about: "By npm, with its licence.", packages: common },
  ]);
}

/** Those of a binary that is compiled on this machine, with the texts. */
export async function noticesOfBinary() {
  const packages = unique([...packagesOfSdk(), ...packagesOfFleet()].filter(({ folder }) => folder !== undefined));
  return notices("the svc binary", [
    { title: "In its pages", about: "Bundled.", packages: await bundledInSdk(), texts: true },
    { title: "Packages in it", about: "Unmodified; the binary unpacks them.", packages, texts: true },
    { title: "Its runtime", about: "By `deno compile`.", packages: [], components: DENO_RUNTIME, texts: true },
  ]);
}

/** Those of both container images, with the texts; Debian and Node bring theirs along. */
export async function noticesOfImage() {
  const about =
    "In /opt/svc/node_modules. What Debian and Node bring has its terms in /usr/share/doc and /usr/local/LICENSE.";
  const webgpu = optionalPeers().filter(({ name }) => name === "webgpu");
  return notices("the container images", [
    { title: "In its pages", about: "Bundled.", packages: await bundledInSdk(), texts: true },
    { title: "Packages in it", about, packages: unique([...packagesOfSdk(), ...packagesOfFleet()]), texts: true },
    {
      title: "In the image for GPUs",
      about: "Besides, with the Vulkan loader and Mesa of Debian.",
      packages: webgpu,
      texts: true,
    },
  ]);
}

/** Those of the site, with the texts. */
export async function noticesOfSite() {
  const { name, version } = ONNXRUNTIME_WEB;
  const runtime = { name, version, licence: "MIT", folder: undefined };
  const about = "Bundled into its scripts, or beside them as WebAssembly.";
  const packages = unique([...await bundledInSite(), runtime]);
  return notices("the site", [{ title: "In its scripts", about, packages, texts: true }]);
}

/**
 * @typedef {object} Section
 * @property {string} title
 * @property {string} about
 * @property {Package[]} packages
 * @property {readonly Component[]} [components] those outside of any package
 * @property {boolean} [texts] whether the licences follow whole: what is passed on here, and not by npm
 * @property {boolean} [apart] whether users install them by themselves
 */

/**
 * The document of what is in some sections.
 *
 * @param {string} of
 * @param {Section[]} sections
 */
export function notices(of, sections) {
  for (const { apart = false, ...one } of sections) for (const id of identifiersIn(one)) review(of, id, apart);
  const used = sections.flatMap(identifiersIn);
  const terms = Object.entries(REVIEWED).filter(([id, { terms }]) => terms !== undefined && used.includes(id))
    .map(([id, { terms }]) => `- **${id}**: ${terms}`);
  const patents = sections.some(({ packages }) => packages.some(({ name }) => name === "h264-mp4-encoder"));
  const whole = sections.filter(({ texts }) => texts);
  const texts = licenceTexts(whole.flatMap(({ packages }) => packages), whole.flatMap((one) => one.components ?? []));
  return [
    `# Third-party notices of ${of}`,
    "svc itself is under the MIT licence. Written by scripts/notices/write_notices.mjs from the lock file and the bundles.",
    ...sections.map(section),
    ...compiledSection(sections),
    ...(terms.length > 0 ? [`## How terms are met\n\n${terms.join("\n")}`] : []),
    ...(patents ? [`## Patents\n\n${H264}`] : []),
    ...(texts.length > 0 ? ["## Licences", ...texts] : []),
  ].join("\n\n") + "\n";
}

/** The licences of all that is in a section. */
function identifiersIn(/** @type {Section} */ { packages, components = [] }) {
  return [...packages.flatMap(licencesOf), ...components.map(({ licence }) => licence)].flatMap(identifiersOf);
}

/** Refuses a licence that nobody has read, and one that may be in nothing that is published. */
function review(/** @type {string} */ of, /** @type {string} */ id, /** @type {boolean} */ apart) {
  const found = REVIEWED[id];
  if (found === undefined) {
    const remedy = "read it, and add it to scripts/notices/reviewed_licences.mjs";
    throw new Error(
      `Cannot write the notices of ${of}: nobody has reviewed the licence ${JSON.stringify(id)}: ${remedy}`,
    );
  }
  if (found.shipped === false && !apart) {
    throw new Error(`Cannot write the notices of ${of}: it has code under ${id}, which may not be published with it`);
  }
}

function section(/** @type {Section} */ { title, about, packages, components = [] }) {
  const rows = packages.map((one) => {
    const within = compiledInto(one.name) ?? [];
    const source = within.length === 0 && asksForSource(one.licence) ? `, ${sourceOf(one)}` : "";
    const others = within.length === 0 ? "" : `, with ${within.map(({ name }) => name).join("; ")}`;
    return `- ${one.name} ${one.version}: ${one.licence}${source}${others}`;
  });
  return `## ${title}\n\n${about}\n\n${[...rows, ...components.map(componentRow)].join("\n") || "Nothing."}`;
}

/** What packages have compiled in, each once. */
function compiledSection(/** @type {Section[]} */ sections) {
  const all = sections.flatMap(({ packages }) => packages.flatMap(({ name }) => compiledInto(name) ?? []));
  const rows = [...new Set(all.map(componentRow))].sort();
  return rows.length === 0 ? [] : [`## Compiled into packages\n\n${rows.join("\n")}`];
}

function componentRow(/** @type {Component} */ { name, licence, source, within }) {
  return `- ${name}${within === undefined ? "" : ` with ${within}`}: ${licence}, ${source}`;
}

function asksForSource(/** @type {string} */ licence) {
  return identifiersOf(licence).some((id) => REVIEWED[id].terms !== undefined);
}

function unique(/** @type {Package[]} */ packages) {
  return [...new Map(packages.map((one) => [`${one.name}@${one.version}`, one])).values()];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [what, file] = process.argv.slice(2);
  if (what === "image" && file !== undefined) writeFileSync(file, await noticesOfImage());
  else writeFileSync(join(fileURLToPath(root), NOTICES), await noticesOfSdk());
}
