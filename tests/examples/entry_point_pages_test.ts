// deno-lint-ignore-file no-console -- what programs print is compared
import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { addModel } from "../../lib/store/add_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { writeModel } from "../fixtures/tiny_models/write_model.ts";
import { smallInput, smallManifest, smallNode } from "../manifest/small_manifest.ts";
import { installTinyModels } from "../support/tiny_store.ts";
import { cutOut, picture } from "../support/vision_uploads.ts";

const root = new URL("../../", import.meta.url);
const pages = new URL("docs/entry-points/", root);
const { exports } = JSON.parse(readFileSync(new URL("deno.json", root), "utf8"));

/**
 * The programs of a page. They import the entry points from this clone, and take memory as if nothing else ran: other tests
 * run beside them.
 */
function snippets(page: string): string[] {
  const text = readFileSync(new URL(page, pages), "utf8");
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) =>
    code.replace(/"@svc\/sdk(\/\w+)?"/g, (_, entry = "") => JSON.stringify(new URL(exports[`.${entry}`], root).href))
      .replace(
        /\b(openModels|openModelHandler)\((?:\)|\{)/g,
        (call, name) => `${name}({ memoryGuard: { tier: "off" }${call.endsWith(")") ? " })" : ","}`,
      )
  );
}

/** What the lines of a program print as their comments say. */
function promised(code: string): string[] {
  return [...code.matchAll(/^ *console\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) => said);
}

/** The files that programs read, and the models that they name. */
async function prepare(home: string): Promise<void> {
  const bytes = async (file: File) => new Uint8Array(await file.arrayBuffer());
  writeFileSync(join(home, "photo.png"), await bytes(await picture(64, 48)));
  writeFileSync(join(home, "object.png"), await bytes(await cutOut()));
  copyFileSync(new URL("tests/fixtures/sounds/vorbis.ogg", root), join(home, "recording.ogg"));
  copyFileSync(new URL("examples/corridor.png", root), join(home, "corridor.png"));
  const input = smallInput({ name: "width", type: "integer", required: false, minimum: 1 });
  const manifest = smallManifest(smallNode({ kind: "image.crop", inputs: [input] }));
  writeFileSync(join(home, "manifest.json"), JSON.stringify(manifest, null, 2));
  await installTinyModels(home, ["tiny-transcription", "image-3d-triposr"]);
  const folder = join(home, "sources", "chat");
  mkdirSync(folder);
  writeModel(folder, onnxChatModel({ script: [{ when: "", say: "A corridor is a long room." }] }));
  const store = openModelStore(join(home, "models"));
  await addModel(store, { path: folder, id: "qwen3-0.6b" }, () => {}, new AbortController().signal);
}

/** Runs a program in this process and returns what it prints. */
async function run(file: string, home: string): Promise<string[]> {
  const printed: string[] = [];
  const { log } = console;
  const before = { directory: process.cwd(), home: process.env.SVC_HOME };
  console.log = (...values: readonly unknown[]) => void printed.push(values.map(String).join(" "));
  process.chdir(home);
  process.env.SVC_HOME = home;
  try {
    await import(pathToFileURL(file).href);
  } finally {
    console.log = log;
    process.chdir(before.directory);
    if (before.home === undefined) delete process.env.SVC_HOME;
    else process.env.SVC_HOME = before.home;
  }
  return printed;
}

let home: string;

before(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "svc-test-")));
  await prepare(home);
});

after(() => rmSync(home, { recursive: true, force: true }));

for (const page of readdirSync(fileURLToPath(pages))) {
  test(`every program of docs/entry-points/${page} runs, and prints what it says`, async () => {
    const programs = snippets(page);
    assert.ok(programs.length >= 2, `the page has ${programs.length} programs`);
    for (const [i, code] of programs.entries()) {
      const file = join(home, `${page}-${i + 1}.mts`);
      writeFileSync(file, code);
      for (const name of ["world", "session"]) rmSync(join(home, name), { recursive: true, force: true });
      const printed = await run(file, home).catch((cause) => {
        throw new Error(`program ${i + 1} has failed: ${cause.message}`, { cause });
      });
      const said = promised(code);
      assert.ok(said.length > 0, `program ${i + 1} says nothing of what it prints`);
      for (const line of said) assert.ok(printed.includes(line), `${line} is not among ${printed.join(" | ")}`);
    }
  });
}
