/** Pages of the repository's Markdown: guides, model cards, changes. */
import { readdirSync, readFileSync } from "node:fs";

const root = new URL("../../../", import.meta.url);

/** Guides in the order in which one reads them; others follow. */
const ORDER = ["world-session", "model-api", "manifest", "errors", "benchmarks", "site", "architecture"];

/** Tutorials in the order in which one reads them. */
const TUTORIALS = ["first-walk", "models", "fleet"];

/** Short names for lists. */
const NAMES = new Map([
  ["docs/world-session.md", "World sessions"],
  ["docs/model-api.md", "Model API"],
  ["docs/manifest.md", "Provider manifests"],
  ["docs/errors.md", "Errors"],
  ["docs/benchmarks.md", "Benchmarks"],
  ["docs/site.md", "This site"],
  ["docs/architecture.md", "Architecture"],
  ["CHANGELOG.md", "Changes"],
]);

/**
 * A source with its page.
 *
 * @typedef {{ source: string, page: string, text: string, name: string, group: string }} SourcePage
 */

/**
 * All sources that get a page, in the order of the lists.
 *
 * @returns {SourcePage[]}
 */
export function sourcePages() {
  const rank = (/** @type {string} */ name) => (ORDER.indexOf(name) + ORDER.length + 1) % (ORDER.length + 1);
  const list = (/** @type {string} */ folder, /** @type {string} */ ending) =>
    readdirSync(new URL(folder, root)).filter((name) => name.endsWith(ending)).map((name) =>
      name.slice(0, -ending.length)
    );
  // What the script of the first five minutes has measured is no guide.
  const guides = list("docs/", ".md").filter((name) => name !== "first-five-minutes").sort((a, b) => rank(a) - rank(b));
  const models = readdirSync(new URL("models/", root)).filter((name) => exists(`models/${name}/README.md`)).sort();
  return [
    ...TUTORIALS.map((name) => from(`docs/tutorials/${name}.md`, `guides/tutorial-${name}.html`, "Tutorials")),
    ...guides.map((name) => from(`docs/${name}.md`, `guides/${name}.html`, "Guides")),
    from("examples/python/README.md", "guides/python.html", "Guides"),
    ...list("tests/conformance/", ".md").map((name) =>
      from(`tests/conformance/${name}.md`, `guides/conformance-${name}.html`, "The contract and its tests")
    ),
    from("CHANGELOG.md", "guides/changes.html", "The project"),
    ...models.map((name) => from(`models/${name}/README.md`, `models/${name}.html`, "Models", name)),
    ...list("examples/", ".ts").map((name) =>
      from(`examples/${name}.ts`, `examples/${name}.html`, "Examples", `${name}.ts`)
    ),
  ];
}

function from(source, page, group, name = NAMES.get(source)) {
  let text = readFileSync(new URL(source, root), "utf8");
  if (source.endsWith(".ts")) text = `# ${source}\n\n\`\`\`ts\n${text.trimEnd()}\n\`\`\`\n`;
  return { source, page, text, name: name ?? /^# (.*)$/m.exec(text)?.[1].replaceAll("`", "") ?? source, group };
}

function exists(path) {
  try {
    readFileSync(new URL(path, root));
    return true;
  } catch {
    return false;
  }
}
