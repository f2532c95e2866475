import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runManifest } from "../../cli/manifest/manifest.ts";
import { lintManifestText, parseManifest, validateArguments, validateManifestText } from "../../lib/manifest/mod.ts";

const page = readFileSync(new URL("../../docs/manifest.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text }));
const manifest = blocks.find(({ language }) => language === "json")!.text;

test("the manifest of the guide conforms, and the linter finds nothing", () => {
  assert.equal(validateManifestText(manifest).valid, true);
  assert.deepEqual(lintManifestText(manifest).findings, []);
  const [{ rule }] = validateArguments(parseManifest(manifest).nodes[0], { format: "ass" }).findings;
  assert.ok(["required", "enum"].includes(rule));
});

test("the guide shows what svc manifest validate prints", async () => {
  const print = async (text: string): Promise<string> => {
    let printed = "";
    await runManifest(["validate", "demo.json"], {
      terminal: { out: (line) => printed += `${line}\n`, err: () => {} },
      read: () => Promise.resolve(new TextEncoder().encode(text)),
      input: () => Promise.reject(new Error("nothing is piped")),
      find: () => Promise.resolve({ files: ["demo.json"] }),
      print: (text: string) => printed += text,
    });
    return printed;
  };
  const shown = blocks.filter(({ language }) => language === "").map(({ text }) => text);
  assert.equal(await print(manifest), shown[0]);
  assert.equal(await print(manifest.replace(/"kind": "[^"]+"/, '"kind": "Captions"')), shown[1]);
});
