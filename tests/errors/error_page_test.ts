import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { errorPage } from "../../scripts/generate_errors.ts";

test("docs/errors.md is what the table of errors says; deno task generate writes it", () => {
  assert.equal(readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8"), errorPage());
});
