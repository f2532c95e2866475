/** The API reference: every exported name with its signature and its doc comment. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { escapeHtml } from "./html.mjs";
import { offsetOf, signatureAt } from "./signatures.mjs";

const root = new URL("../../../", import.meta.url);

/** Order of the kinds on a page. */
const KINDS = [
  ["function", "Functions"],
  ["class", "Classes"],
  ["interface", "Interfaces"],
  ["typeAlias", "Types"],
  [
    "variable",
    "Constants",
  ],
  ["enum", "Enums"],
  ["namespace", "Namespaces"],
];

/**
 * An entry point.
 *
 * @typedef {{ name: string, specifier: string, page: string, doc: string, symbols: object[] }} EntryPoint
 */

/**
 * The entry points of deno.json, read by `deno doc`.
 *
 * @returns {EntryPoint[]}
 */
export function entryPoints() {
  const { name: sdk, exports } = JSON.parse(readFileSync(new URL("deno.json", root), "utf8"));
  const named = Object.entries(exports).map(([key, path]) => ({ key, path, name: key === "." ? "sdk" : key.slice(2) }));
  const isDescribed = (/** @type {string} */ name) => existsSync(new URL(`docs/entry-points/${name}.md`, root));
  // The command line is an entry point that exports nothing.
  return named.filter(({ name }) => isDescribed(name)).map(({ key, path, name }) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["node_modules/deno/bin.cjs", "doc", "--json", path],
      { cwd: fileURLToPath(root), encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, NO_COLOR: "1" } },
    );
    if (status !== 0) throw new Error(`Cannot read the doc comments of ${path}: ${stderr.trim()}`);
    const [module] = Object.values(JSON.parse(stdout).nodes);
    const specifier = key === "." ? sdk : `${sdk}/${name}`;
    return { name, specifier, page: `api/${name}.html`, doc: module.module_doc?.doc ?? "", symbols: module.symbols };
  });
}

/**
 * The reference of one entry point.
 *
 * @param {EntryPoint} entry
 * @param {(markdown: string) => string} render
 * @param {ReadonlyMap<string, string>} links page and anchor of each exported name, from this page
 * @returns {{ html: string, contents: [id: string, name: string][], names: { id: string, name: string, text: string }[] }}
 */
export function apiReference({ symbols }, render, links) {
  /** @type {[string, string][]} */
  const contents = [];
  const names = [];
  const sources = new Map();
  const sourceOf = (/** @type {string} */ url) => {
    if (!sources.has(url)) sources.set(url, readFileSync(new URL(url), "utf8"));
    return sources.get(url);
  };
  const prose = (/** @type {string} */ text) => render(linked(text, links));
  const parts = KINDS.map(([kind, title]) => {
    const found = symbols.map(({ name, declarations }) => ({ name, all: declarations.filter((d) => d.kind === kind) }))
      .filter(({ all }) => all.length > 0).sort((a, b) => a.name.localeCompare(b.name));
    if (found.length === 0) return "";
    contents.push([title.toLowerCase(), title]);
    return `<h2 id="${title.toLowerCase()}">${title}</h2>\n` + found.map(({ name, all }) => {
      const shown = all.find(({ jsDoc }) => jsDoc) ?? all[0];
      const id = name;
      names.push({ id, name, text: (shown.jsDoc?.doc ?? "").split("\n\n")[0] });
      const signatures = all.map((one) =>
        signatureAt(sourceOf(one.location.filename), offsetOf(sourceOf(one.location.filename), one.location), kind)
      );
      return `<section class="symbol"><h3 id="${id}"><a href="#${id}">${name}</a></h3>\n<pre tabindex="0"><code>${
        signatures.map((text) => linkTypes(escapeHtml(text), links, name)).join("\n")
      }</code></pre>\n${docOf(shown.jsDoc, prose)}${membersOf(shown, sourceOf, prose, links)}</section>\n`;
    }).join("\n");
  });
  return { html: parts.join("\n"), contents, names };
}

function docOf({ doc = "", tags = [] } = {}, prose) {
  const of = (/** @type {string} */ kind) => tags.filter((tag) => tag.kind === kind);
  const list = (/** @type {string} */ title, /** @type {string[]} */ items) =>
    items.length === 0
      ? ""
      : `<dl class="tags"><dt>${title}</dt>${items.map((item) => `<dd>${item}</dd>`).join("")}</dl>`;
  return prose(doc) +
    list("Parameters", of("param").map(({ name, doc = "" }) => prose(`\`${name}\` ${doc}`))) +
    list("Returns", of("return").map(({ doc = "" }) => prose(doc))) +
    list(
      "Throws",
      of("throws").map(({ tsType, doc = "" }) => prose(tsType ? `\`${tsType.repr}\` ${doc}` : doc)),
    ) +
    of("example").map(({ doc = "" }) => {
      const [title, ...rest] = doc.startsWith("```") ? ["Example", doc] : doc.split("\n");
      return `<h4>${escapeHtml(title)}</h4>${prose(rest.join("\n").replace(/^```(\w+) ignore/gm, "```$1"))}`;
    }).join("");
}

function membersOf({ kind, def = {} }, sourceOf, prose, links) {
  if (kind !== "class" && kind !== "interface") return "";
  const all = [
    ...(def.constructors ?? []).map((one) => ({ ...one, name: "constructor" })),
    ...def.properties ?? [],
    ...def.methods ?? [],
  ].filter(({ accessibility, name }) => accessibility !== "private" && !name.startsWith("#"));
  const rows = all.flatMap(({ location, jsDoc, kind: accessor }) => {
    if (!location || jsDoc?.tags?.some(({ kind }) => kind === "internal")) return [];
    const source = sourceOf(location.filename);
    const text = signatureAt(source, offsetOf(source, location), accessor === "getter" ? "getter" : "member")
      .replace(/^readonly /, "").replace(/^(?:override|public) /, "");
    const code = linkTypes(escapeHtml(text), links, "");
    return [`<dt><code>${code}</code></dt><dd>${jsDoc ? docOf(jsDoc, prose) : ""}</dd>`];
  });
  return rows.length === 0 ? "" : `<dl class="members">${rows.join("\n")}</dl>`;
}

/** `{@linkcode name}` as a link where the name has a place. */
function linked(text, links) {
  return text.replace(/\{@link(?:code)? ([^}\s]+)\s*([^}]*)\}/g, (_, name, words) => {
    const target = links.get(name.split(".")[0]);
    const shown = words || `\`${name}\``;
    return target ? `[${shown}](${target})` : shown;
  });
}

function linkTypes(code, links, own) {
  return code.replace(/\b[A-Z]\w+\b/g, (name) => {
    const target = name === own ? undefined : links.get(name);
    return target ? `<a href="${target}">${name}</a>` : name;
  });
}
