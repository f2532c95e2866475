import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzServer } from "../../support/fuzz_server.ts";

// @row world-session > Errors > The error object, for every status
test("2000 random requests are answered as the API description says, and never with 500", async () => {
  const counts = await fuzzServer(2000, 1);
  // The requests have to reach what they are meant to try.
  for (const status of [200, 201, 202, 204, 206, 304, 400, 403, 404, 405, 409, 415, 416]) {
    assert.ok((counts[status] ?? 0) > 2, `${counts[status] ?? 0} answers with ${status}`);
  }
});

// @row world-session > Errors > The error object, for every status
test("500 random requests to an actionworld are answered as the API description says, and never with 500", async () => {
  const counts = await fuzzServer(500, 1, "actionworld");
  for (const status of [200, 202, 400, 404]) assert.ok((counts[status] ?? 0) > 2, `answers with ${status}`);
});
