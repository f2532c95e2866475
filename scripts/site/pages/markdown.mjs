/** The project's Markdown as HTML. */
import { posix } from "node:path";
import { HIGHLIGHT, MARKED, packageFiles } from "../package_files.mjs";
import { escapeHtml, slugOf } from "./html.mjs";

const { Marked } = await import(new URL("marked.esm.js", packageFiles(MARKED)).href);
const { default: highlighter } = await import(new URL("highlight.min.js", packageFiles(HIGHLIGHT)).href);

/** Names of languages in the documents that the library calls otherwise. */
const LANGUAGES = { sh: "bash", toml: "ini", powershell: "bash" };

/**
 * Renders a file.
 *
 * @param {string} text
 * @param {object} at
 * @param {string} at.source path of the file in the repository
 * @param {string} at.page path of its page below the site
 * @param {ReadonlyMap<string, string>} at.pages path of the page of each source that has one
 * @param {(source: string) => string} at.image takes a picture of the repository over; returns its path below the site
 * @returns {{ title: string, html: string, contents: [id: string, name: string, depth: number][] }}
 */
export function renderMarkdown(text, { source, page, pages, image }) {
  /** @type {[string, string, number][]} */
  const contents = [];
  const ids = new Set();
  const labels = new Map();
  let above = 0;
  let title = "";
  const from = (/** @type {string} */ href) => posix.join(posix.dirname(source), href);
  const to = (/** @type {string} */ path) => posix.relative(posix.dirname(page), path);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        let id = slugOf(inner);
        while (ids.has(id)) id += "-";
        ids.add(id);
        const level = Math.min(depth, above + 1);
        above = level;
        if (depth === 1) title ||= inner.replace(/<[^>]+>/g, "");
        if (depth === 2 || depth === 3) contents.push([id, inner.replace(/<\/?a[^>]*>/g, ""), depth]);
        return `<h${level} id="${id}">${inner}</h${level}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${inner}</a>`;
        if (href.startsWith("#")) return `<a href="${href}">${inner}</a>`;
        const [path, hash = ""] = href.split("#");
        const target = pages.get(from(path)) ?? pages.get(from(path).replace(/\/$/, ""));
        return target === undefined ? inner : `<a href="${to(target)}${hash && `#${hash}`}">${inner}</a>`;
      },
      image({ href, text }) {
        return `<img src="${to(image(from(href)))}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      code({ text, lang = "" }) {
        const language = LANGUAGES[lang] ?? lang;
        const isKnown = language !== "" && highlighter.getLanguage(language) !== undefined;
        const shown = isKnown ? highlighter.highlight(text, { language }).value : escapeHtml(text);
        // What a program prints is not for copying.
        const kind = lang === "" ? "" : ` class="source"`;
        const code = `<pre${kind} tabindex="0"><code>${shown}</code></pre>\n`;
        if (!lang.startsWith("mermaid")) return code;
        return `<details><summary>The drawing, in Mermaid's words</summary>${code}</details>\n`;
      },
      table(token) {
        const row = (cells, tag) =>
          `<tr>${
            cells.map(({ tokens, align }) =>
              `<${tag}${align === "right" ? ' class="number"' : ""}${tag === "th" ? ' scope="col"' : ""}>${
                this.parser.parseInline(tokens)
              }</${tag}>`
            ).join("")
          }</tr>`;
        const name = escapeHtml(token.header.map(({ text }) => text.replace(/[`*_]/g, "")).join(", "));
        const count = (labels.get(name) ?? 0) + 1;
        labels.set(name, count);
        const label = `Table: ${name}${count > 1 ? ` (${count})` : ""}`;
        return `<div class="table" role="region" tabindex="0" aria-label="${label}"><table><thead>${
          row(token.header, "th").replace(/<th([^>]*)><\/th>/g, "<td$1></td>").replace(
            /<td([^>]*) scope="col">/g,
            "<td$1>",
          )
        }</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("\n")}</tbody></table></div>\n`;
      },
      html({ text }) {
        return escapeHtml(text.replace(/<!--[\s\S]*?-->/g, "").trim());
      },
    },
  });
  const html = marked.parse(text);
  return { title, html, contents };
}
