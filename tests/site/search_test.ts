import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOf, search, type SearchEntry } from "../../site/pages/search.ts";

const entries: SearchEntry[] = [
  { path: "a", title: "Errors", part: "", text: "Every code, such as session_busy, and what to do about it." },
  { path: "b", title: "@svc/sdk", part: "openWorld", text: "Opens a world in this process." },
  {
    path: "c",
    title: "World sessions",
    part: "",
    text: `${"word ".repeat(40)}a session of a world ${"end ".repeat(60)}`,
  },
];
const found = (query: string): string[] => search(entries, query, 9).map(({ entry }) => entry.path);

test("the search finds entries with all words, names before texts", () => {
  assert.deepEqual(found("openworld"), ["b"]);
  assert.deepEqual(found("world"), ["c", "b"]);
  assert.deepEqual(found("WORLD process"), ["b"]);
  assert.deepEqual(found("session_busy"), ["a"]);
  for (const nothing of ["", "  ", "world nothing", "(.*"]) assert.deepEqual(found(nothing), []);
  assert.equal(search(entries, "o", 2).length, 2);
});

test("an excerpt shows the word that was asked for", () => {
  const [{ excerpt }] = search(entries, "session world", 1);
  assert.match(excerpt, /^… .*a session of a world.* …$/);
});

test("an index lists pages with their parts, each an entry with a link of its own", () => {
  const index = [{ path: "guides/a.html", title: "A", parts: [["", "", "all"], ["#b", "B", "a part"]] as const }];
  assert.deepEqual(entriesOf(index), [
    { path: "guides/a.html", title: "A", part: "", text: "all" },
    { path: "guides/a.html#b", title: "A", part: "B", text: "a part" },
  ]);
});
