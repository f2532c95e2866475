import assert from "node:assert/strict";
import { test } from "node:test";
import { pageOf, readPage } from "../../lib/http/list_page.ts";

test("pages put together are the list, though rows go and come between them", () => {
  const all = new Set(Array.from({ length: 25 }, (_, i) => String.fromCharCode(121 - i)));
  const seen: string[] = [];
  let after: string | undefined;
  for (let page = 0; page === 0 || after !== undefined; page++) {
    const { rows, next } = pageOf(all, { limit: 10, ...(after !== undefined && { after }) }, (row) => row);
    seen.push(...rows);
    if (next !== undefined) all.delete(next); // the row that the position names
    after = next;
  }
  assert.equal(seen.join(""), "abcdefghijklmnopqrstuvwxy");
});

test("a page is asked for in bounds", () => {
  assert.deepEqual(readPage(new URLSearchParams("")), { limit: 100 });
  assert.deepEqual(readPage(new URLSearchParams("limit=1000&after=x")), { limit: 1000, after: "x" });
  for (
    const wrong of ["limit=0", "limit=1001", "limit=-1", "limit=1e2", "limit=", "after=", `after=${"a".repeat(201)}`]
  ) {
    assert.throws(() => readPage(new URLSearchParams(wrong)), { code: "wrong_type" }, wrong);
  }
});
