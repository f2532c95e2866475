/** All pages of the site besides the walk, and their entries in the search index. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, posix } from "node:path";
import { apiReference, entryPoints } from "./api.mjs";
import { sourcePages } from "./guides.mjs";
import { escapeHtml, wordsOf } from "./html.mjs";
import { layout } from "./layout.mjs";
import { renderMarkdown } from "./markdown.mjs";
import { manifestPage } from "./manifest_page.mjs";
import { startPage } from "./start_page.mjs";

const root = new URL("../../../", import.meta.url);

/**
 * Writes them.
 *
 * @param {URL} target folder of the site
 */
export function writePages(target) {
  const sources = sourcePages();
  const entries = entryPoints();
  const pages = new Map([
    ...sources.map(({ source, page }) => [source, page]),
    ...entries.map(({ name, page }) => [`docs/entry-points/${name}.md`, page]),
    ["docs/entry-points", "api/index.html"],
    ["README.md", "index.html"],
  ]);
  /** @type {{ path: string, title: string, part: string, text: string }[]} */
  const index = [];
  /** First sentences by page, also of those that the search leaves out. */
  const descriptions = new Map();
  const image = (/** @type {string} */ source) => {
    const path = `images/${basename(source)}`;
    mkdirSync(new URL("images/", target), { recursive: true });
    copyFileSync(new URL(source, root), new URL(path, target));
    return path;
  };
  const write = (/** @type {import("./layout.mjs").Page} */ page) => {
    mkdirSync(new URL(".", new URL(page.path, target)), { recursive: true });
    writeFileSync(new URL(page.path, target), layout(page));
  };
  const note = (path, title, page) => {
    // What programs print is found by the words around it, and so is what one types in a tutorial.
    const code = path.startsWith("guides/tutorial-") ? /<pre[\s\S]*?<\/pre>/g : /<pre tabindex="0">[\s\S]*?<\/pre>/g;
    const html = page.replace(code, "");
    const [lead, ...parts] = html.split(/(?=<h2 id=)/);
    index.push({ path, title, part: "", text: wordsOf(lead.replace(/<h1[\s\S]*?<\/h1>/, "")) });
    for (const part of parts) {
      const [, id, name] = /^<h2 id="([^"]*)">(.*?)<\/h2>/s.exec(part) ?? [];
      if (id) {
        index.push({
          path: `${path}#${id}`,
          title,
          part: wordsOf(name),
          text: wordsOf(part.replace(/^<h2.*?<\/h2>/s, "")),
        });
      }
    }
  };
  const groups = [...new Set(sources.map(({ group }) => group))].map((title) => ({
    title,
    links: sources.filter(({ group }) => group === title).map((
      { page, name },
    ) => /** @type {[string, string]} */ ([page, name])),
  }));
  const besides = (/** @type {string} */ folder) =>
    groups.filter(({ links }) => links.some(([page]) => page.startsWith(folder)));

  for (const { source, page, text, name } of sources) {
    const { title, html, contents } = renderMarkdown(text, { source, page, pages, image });
    const folder = page.slice(0, page.indexOf("/") + 1);
    const aside = folder === "examples/" ? groups.filter(({ title }) => title === "Examples") : besides(folder);
    const longList = folder === "guides/" && page.includes("conformance");
    descriptions.set(page, describe(html));
    write({ path: page, title: title || name, description: describe(html), body: html, aside, contents });
    if (!longList && folder !== "examples/") note(page, title || name, html);
  }

  const apiAside = [{
    title: "Entry points",
    links: /** @type {[string, string][]} */ (entries.map(({ page, specifier }) => [page, specifier])),
  }, ...groups.filter(({ title }) => title === "Examples")];
  const owners = new Map();
  for (const { page, symbols } of [...entries].reverse()) for (const { name } of symbols) owners.set(name, page);
  for (const { name, page, specifier, symbols } of entries) {
    const source = `docs/entry-points/${name}.md`;
    const at = { source, page, pages, image };
    const render = (/** @type {string} */ text) => renderMarkdown(text, at).html;
    const own = new Set(symbols.map((symbol) => symbol.name));
    const links = new Map(
      [...owners].map(([name, owner]) => own.has(name) ? [name, `#${name}`] : [name, `${basename(owner)}#${name}`]),
    );
    const guide = renderMarkdown(readFileSync(new URL(source, root), "utf8"), at);
    const reference = apiReference({ symbols }, render, links);
    const html = guide.html + reference.html;
    write({
      path: page,
      title: specifier,
      description: describe(guide.html),
      body: html,
      aside: apiAside,
      contents: [
        ...guide.contents,
        ...reference.contents,
      ],
    });
    note(page, specifier, guide.html);
    for (const { id, name, text } of reference.names) {
      index.push({
        path: `${page}#${id}`,
        title: specifier,
        part: name,
        text: wordsOf(render(text.replace(/\{@link(?:code)? (\S+)\}/g, "$1"))),
      });
    }
  }

  const list = (items) => `<ul class="cards">${items.join("\n")}</ul>`;
  const card = (to, name, text) =>
    `<li><a href="${to}">${escapeHtml(name)}</a>${text === "" ? "" : `<p>${escapeHtml(text)}</p>`}</li>`;
  const lead = (/** @type {string} */ path) =>
    index.find((entry) => entry.path === path)?.text || (descriptions.get(path) ?? "");
  const short = (/** @type {string} */ text) =>
    /^.{20,}?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? text.slice(0, 160);
  const listPage = (path, title, text, from) =>
    write({
      path,
      title,
      description: text,
      aside: path.startsWith("api/") ? apiAside : besides(posix.dirname(path) + "/"),
      body: `<h1>${title}</h1><p class="lead">${text}</p>` + from.map(({ title, links }) =>
        `${from.length > 1 ? `<h2>${title}</h2>` : ""}${
          list(links.map(([page, name]) => card(posix.relative(posix.dirname(path), page), name, short(lead(page)))))
        }`
      ).join("\n"),
    });
  listPage("guides/index.html", "Guides", "What the servers do, field by field, and why.", besides("guides/"));
  listPage(
    "models/index.html",
    "Models",
    "The models that come with svc: what they are, how they were made, how good they are.",
    besides("models/"),
  );
  listPage(
    "api/index.html",
    "API",
    "Seven entry points; every name with its signature and its doc comment.",
    apiAside.slice(0, 1),
  );

  const manifest = manifestPage();
  write(manifest);
  note(manifest.path, manifest.title, manifest.body.replace(/<textarea[\s\S]*?<\/textarea>/g, ""));
  const source = image("models/corridor-nano/base/source.png");
  write(startPage({ picture: source, walk: image("examples/walk.webp"), megabytes: megabytesOf(target) }));
  index.push({
    path: "walk/",
    title: "Walk",
    part: "",
    text: "A generated world in this browser: W A S D to move, J L to turn.",
  });
  writeFileSync(new URL("search.json", target), JSON.stringify(byPage(index)));
}

/** The entries of the search without repeating what those of a page share (`IndexedPage` of site/pages/search.ts). */
function byPage(index) {
  const pages = new Map();
  for (const { path, title, part, text } of index) {
    const [page, anchor] = path.split("#");
    if (!pages.has(page)) pages.set(page, { path: page, title, parts: [] });
    pages.get(page).parts.push([anchor === undefined ? "" : `#${anchor}`, part, text]);
  }
  return [...pages.values()];
}

/** What a browser loads to walk, without what only some need: the encoder, and the world of another place. */
function megabytesOf(target) {
  const bytes = ["walk/", "models/"].flatMap((folder) =>
    readdirSync(new URL(folder, target), { recursive: true, encoding: "utf8" })
      .filter((name) => !/^h264|\.html$|\/(?:base|causal)\/(?!places\/)[^/]+\//.test(name))
      .map((name) => statSync(new URL(`${folder}${name}`, target)))
      .filter((file) => file.isFile())
  ).reduce((sum, { size }) => sum + size, 0);
  return Math.round(bytes / 1e6);
}

/** The first sentences of a page. */
function describe(html) {
  const [, first = ""] = /<p>([\s\S]*?)<\/p>/.exec(html) ?? [];
  return wordsOf(first).slice(0, 200);
}
