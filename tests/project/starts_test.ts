import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadedBy } from "../published/starts.ts";

const COMMAND_LINE = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));

test("svc loads little before its command is parsed", () => {
  const { files, bytes, packages } = loadedBy(COMMAND_LINE);
  assert.ok(files <= 15, `svc loads ${files} modules, expected at most 15`);
  // With their comments; the built modules have a budget of their own where packages are published.
  assert.ok(bytes <= 35e3, `svc loads ${bytes} bytes of source, expected at most 35000`);
  assert.deepEqual(packages, []);
});
