import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Maximum number of lines of a paragraph or an item of a list, at the line width of 120 that the formatter gives. */
const MAX_LINES = 8;

/** Maximum number of characters of a cell: a table with longer cells is a list. */
const MAX_CELL = 160;

/** Tables whose cells are long for a reason: what to touch for a change, and commands to copy. */
const LONG_CELLS = /^docs\/(?:architecture|errors|first-five-minutes)\.md$/;

/** A paragraph or an item of a list, by the line that it starts on. */
interface Paragraph {
  readonly line: number;
  readonly lines: number;
}

/** The paragraphs and items of a page, without code, tables, headings and comments. */
function paragraphsOf(page: string): Paragraph[] {
  const found: { line: number; lines: number }[] = [];
  let isCode = false;
  let isOpen = false;
  for (const [index, line] of page.split("\n").entries()) {
    const isFence = /^\s*```/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || /^\s*(?:$|\||#{1,6} |<!--)/.test(line)) {
      isOpen = false;
      continue;
    }
    const isItem = /^\s*(?:[-*]|\d+\.) /.test(line);
    if (isOpen && !isItem) found[found.length - 1].lines += 1;
    else found.push({ line: index + 1, lines: 1 });
    isOpen = true;
  }
  return found;
}

const pages = [
  "README.md",
  ...readdirSync(`${root}docs`).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
];
const textOf = (name: string): string => readFileSync(`${root}${name}`, "utf8");

test("paragraphsOf() counts paragraphs and items, and skips code and tables", () => {
  const page = "# A\n\none\ntwo\n\n- three\n  four\n- five\n\n```sh\nsix\n\nseven\n```\n\n| eight |\n| ----- |\n";
  assert.deepEqual(paragraphsOf(page), [{ line: 3, lines: 2 }, { line: 6, lines: 2 }, { line: 8, lines: 1 }]);
});

test(`no paragraph of the guides is longer than ${MAX_LINES} lines`, () => {
  assert.ok(pages.length > 10, `${pages.length}`);
  const long = pages.flatMap((name) =>
    paragraphsOf(textOf(name)).filter(({ lines }) => lines > MAX_LINES).map(({ line, lines }) =>
      `${name}:${line} has ${lines} lines`
    )
  );
  assert.deepEqual(long, []);
});

test(`no cell of a table in the guides is longer than ${MAX_CELL} characters`, () => {
  const long = pages.filter((name) => !LONG_CELLS.test(name)).flatMap((name) =>
    textOf(name).split("\n").flatMap((line, index) =>
      line.startsWith("|") && line.split("|").some((cell) => cell.trim().length > MAX_CELL)
        ? [`${name}:${index + 1}`]
        : []
    )
  );
  assert.deepEqual(long, []);
});

test("README is at most 100 lines", () => {
  assert.ok(textOf("README.md").trimEnd().split("\n").length <= 100);
});
