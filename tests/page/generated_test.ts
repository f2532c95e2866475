import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { generatePage } from "../../scripts/generate_page.mjs";
import { inflateRawSync } from "node:zlib";
import { modelPage } from "../../lib/app/models/model_page.ts";
import { apiPageParts } from "../../scripts/generate_api_page.mjs";
import { visionPageParts } from "../../scripts/generate_vision_page.mjs";
import { visionHtml, visionScript, visionStyle } from "../../vision-page/generated.ts";

test("world-page/generated.ts is what its sources make", async () => {
  const current = readFileSync(new URL("../../world-page/generated.ts", import.meta.url), "utf8");
  assert.ok(current === await generatePage(), "run: node scripts/generate_page.mjs");
});

test("vision-page/generated.ts is what its sources make", async () => {
  const { html, style, script } = await visionPageParts();
  // What deflates may do it in another way elsewhere.
  const current = [visionHtml, visionStyle, inflateRawSync(Buffer.from(visionScript, "base64")).toString("utf8")];
  assert.ok(
    current.every((part, i) => part === [html, style, script][i]),
    "run: node scripts/generate_vision_page.mjs",
  );
});

test("api-page/generated.ts is what its sources make, and small", async () => {
  const { others, ...page } = await modelPage();
  const current = { ...page, docs: others!["/docs"] };
  assert.deepEqual(current, await apiPageParts(), "run: node scripts/generate_api_page.mjs");
  const size = Object.values(current).join("").length;
  assert.ok(size < 45_000, `${size} characters`);
});
