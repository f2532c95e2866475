/** The frame of all pages of the site. */
import { escapeHtml } from "./html.mjs";

/** Only files of the site itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const SECTIONS = [
  ["walk/", "Walk"],
  ["guides/index.html", "Guides"],
  ["api/index.html", "API"],
  ["manifest/index.html", "Manifest editor"],
  ["models/index.html", "Models"],
  ["guides/benchmarks.html", "Benchmarks"],
];

/**
 * A page.
 *
 * @typedef {object} Page
 * @property {string} path below the site, such as `guides/index.html`
 * @property {string} title
 * @property {string} description
 * @property {string} body HTML of the main part
 * @property {{ title: string, links: [path: string, name: string][] }[]} [aside] groups of links beside it
 * @property {[id: string, name: string, depth?: number][]} [contents] headings of the page
 * @property {string} [kind] class of the body
 * @property {string[]} [scripts] paths below the site
 */

/**
 * The document of a page.
 *
 * @param {Page} page
 * @returns {string}
 */
export function layout({ path, title, description, body, aside = [], contents = [], kind = "", scripts = [] }) {
  const up = "../".repeat(path.split("/").length - 1);
  const here = (/** @type {string} */ target) => target === path ? ' aria-current="page"' : "";
  const section = (/** @type {string} */ target) =>
    target === path || (target.endsWith("/index.html") && path.startsWith(target.replace("index.html", "")) &&
        !SECTIONS.some(([other]) => other === path))
      ? ' aria-current="true"'
      : "";
  const link = (/** @type {string} */ target) => (up + target).replace(/(^|\/)index\.html$/, "$1") || "./";
  const side = aside.map(({ title, links }) =>
    `<h2>${escapeHtml(title)}</h2>\n<ul>${
      links.map(([to, name]) => `<li><a href="${link(to)}"${here(to)}>${escapeHtml(name)}</a></li>`).join("\n")
    }</ul>`
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)}${path === "index.html" ? "" : " · svc"}</title>
<link rel="icon" href="${up}walk/page.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}site.css">
${["site.js", ...scripts].map((script) => `<script type="module" src="${up}${script}"></script>`).join("\n")}
</head>
<body class="${kind}" data-root="${up}">
<a class="skip" href="#main">To the content</a>
<header class="top">
<a class="brand" href="${link("index.html")}"${here("index.html")}>svc</a>
<nav aria-label="Site"><ul>${
    SECTIONS.map(([to, name]) => `<li><a href="${link(to)}"${section(to)}>${name}</a></li>`).join("")
  }</ul></nav>
<search id="search" hidden>
<input id="query" type="search" placeholder="Search" aria-label="Search" autocomplete="off" spellcheck="false">
<div id="results" role="region" aria-label="Search results" hidden></div>
</search>
</header>
<div class="page">
${side.length > 0 ? `<nav class="side" aria-label="Section">${side.join("\n")}</nav>` : ""}
<main id="main" tabindex="-1">
${body}
</main>
${
    contents.length > 1
      ? `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${
        contents.map(([id, name, depth]) => `<li${depth === 3 ? ' class="sub"' : ""}><a href="#${id}">${name}</a></li>`)
          .join("\n")
      }</ul></nav>`
      : ""
  }
</div>
<footer class="end"><p>svc is free software under the MIT licence, with <a href="${up}third-party-notices.txt">code of others</a>. This site sets no cookies and asks no other server for anything.</p></footer>
</body>
</html>
`;
}
