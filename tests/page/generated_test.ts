import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { generatePage } from "../../scripts/generate_page.mjs";
import { generateVisionPage } from "../../scripts/generate_vision_page.mjs";

test("world-page/generated.ts is what its sources make", async () => {
  const current = readFileSync(new URL("../../world-page/generated.ts", import.meta.url), "utf8");
  assert.ok(current === await generatePage(), "run: node scripts/generate_page.mjs");
});

test("vision-page/generated.ts is what its sources make", async () => {
  const current = readFileSync(new URL("../../vision-page/generated.ts", import.meta.url), "utf8");
  assert.ok(current === await generateVisionPage(), "run: node scripts/generate_vision_page.mjs");
});
