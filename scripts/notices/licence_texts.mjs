/** Licences as they are written: the files of packages, and where a package has none, the text that SPDX has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../install.mjs";
import { packageFiles } from "../site/package_files.mjs";
import { compiledInto } from "./compiled_in.mjs";
import { identifiersOf, REVIEWED } from "./reviewed_licences.mjs";
import { licenceFiles } from "./third_party.mjs";

/** The LGPL of version 3 is written as exceptions to the GPL. */
const REFERS_TO = { "LGPL-3.0-or-later": "GPL-3.0-or-later" };

const published = [...Object.keys(REVIEWED).filter((id) => !id.startsWith("LicenseRef-")), ...Object.values(REFERS_TO)];

/** @type {import("../site/package_files.mjs").PackageFiles} */
const SPDX = {
  name: "spdx-license-list",
  version: "6.12.0",
  integrity: "sha512-+nUYqm3aZMSHbjsthK+i/HHI2okTElCvqwUd4k8QcSk+FTGgjq+fsdFj2wZOaX6XmR2JdWhf/NeflNnvKOjcnQ==",
  files: published.map((id) => `licenses/${id}.json`),
};

/**
 * Texts with a heading each, every text once: of packages and of what they have compiled in.
 *
 * @param {readonly import("./third_party.mjs").Package[]} packages
 * @param {readonly import("./compiled_in.mjs").Component[]} components
 * @returns {string[]}
 */
export function licenceTexts(packages, components) {
  /** @type {Map<string, Set<string>>} */
  const owners = new Map();
  /** @type {Map<string, Set<string>>} */
  const general = new Map();
  const put = (map, key, value) => map.set(key, (map.get(key) ?? new Set()).add(value));
  const leave = (licence, owner) => {
    for (const id of identifiersOf(licence)) {
      if (id.startsWith("LicenseRef-")) continue;
      put(general, id, owner);
      if (REFERS_TO[id] !== undefined) put(general, REFERS_TO[id], owner);
    }
  };
  for (const one of packages) {
    const label = `${one.name} ${one.version}`;
    const files = licenceFiles(one);
    for (const text of files) put(owners, text, label);
    if (files.length === 0) leave(one.licence, `${label}${authorOf(one)}`);
    else if (one.licence.includes("LGPL-3.0")) leave("LGPL-3.0-or-later", label);
  }
  const compiled = [...packages.flatMap(({ name }) => compiledInto(name) ?? []), ...components];
  for (const { name, licence, copyright } of compiled) {
    leave(licence, copyright === undefined ? name : `${name}, copyright ${copyright}`);
  }
  const own = [...owners].map(([text, names]) => `### ${[...names].join(", ")}\n\n${quoted(text)}`);
  const spdx = [...general].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([id, names]) =>
      `### ${id}\n\nOf:\n\n${[...names].map((name) => `- ${name}`).join("\n")}\n\n${quoted(textOf(id))}`
    );
  return [...own, ...spdx];
}

function textOf(/** @type {string} */ id) {
  return JSON.parse(readFileSync(new URL(`${id}.json`, packageFiles(SPDX)), "utf8")).licenseText.trim();
}

/** Who holds the rights of a package that has no file about it. */
function authorOf(/** @type {import("./third_party.mjs").Package} */ { folder }) {
  if (folder === undefined) return "";
  const { author } = JSON.parse(readFileSync(join(fileURLToPath(root), folder, "package.json"), "utf8"));
  const name = typeof author === "string" ? author : author?.name;
  return name === undefined ? "" : `, copyright ${name}`;
}

function quoted(/** @type {string} */ text) {
  return `\`\`\`text\n${text.replaceAll("```", "'''")}\n\`\`\``;
}
