import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { addModel } from "../../lib/store/add_model.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { withApiProcess } from "../support/api_process.ts";
import { tinyChatFiles, withModelMachine, writeModelFiles } from "../support/model_machine.ts";

const [gguf] = Object.values(ggufChatModel());
const digest = `sha256:${createHash("sha256").update(gguf).digest("hex")}`;
const WEIGHTS = "application/vnd.ollama.image.model";

/** What a disk, a person or another program may have left of Ollama's folder. */
function brokenOllama(folder: string): void {
  const manifests = "manifests/registry.ollama.ai/library";
  const layers = (...list: unknown[]) => JSON.stringify({ layers: list });
  const weights = (of: unknown) => ({ mediaType: WEIGHTS, digest: of });
  const hash = (letter: string) => letter.repeat(64);
  const texts: Record<string, string> = {
    none: "",
    null: "null",
    list: "[]",
    number: "7",
    "layers-null": '{"layers":null}',
    "layers-object": '{"layers":{}}',
    "no-digest": layers({ mediaType: WEIGHTS }),
    "digest-number": layers(weights(7)),
    up: layers(weights(`sha256:../../${hash("0").slice(6)}`)),
    upper: layers(weights(digest.toUpperCase())),
    huge: layers(weights(digest)) + " ".repeat(2 << 20),
    zero: layers(weights(`sha256:${hash("a")}`)),
    folder: layers(weights(`sha256:${hash("b")}`)),
    circle: layers(weights(`sha256:${hash("c")}`)),
    "名前 mit Leer": layers(weights(digest)),
  };
  for (const [name, text] of Object.entries(texts)) writeModelFiles(folder, { [`${manifests}/${name}/latest`]: text });
  writeModelFiles(folder, {
    [`${manifests}/deep/latest/more`]: layers(weights(digest)),
    [`blobs/${digest.replace(":", "-")}`]: gguf,
    [`blobs/sha256-${hash("a")}`]: "",
  });
  mkdirSync(join(folder, `blobs/sha256-${hash("b")}`));
  symlinkSync(`sha256-${hash("c")}`, join(folder, `blobs/sha256-${hash("c")}`));
  symlinkSync(join(folder, "manifests"), join(folder, manifests, "again"));
}

/** The same of the hub's cache and LM Studio's. */
function brokenCaches(home: string): void {
  const hub = join(home, ".cache/huggingface/hub");
  const snapshot = (name: string) => join(hub, `models--o--${name}/snapshots/1`);
  writeModelFiles(snapshot("Leer é"), tinyChatFiles());
  writeModelFiles(snapshot("Empty"), { ...tinyChatFiles(), "onnx/model_q4.onnx": "", "onnx/model.onnx": "" });
  writeModelFiles(snapshot("Config"), { ...tinyChatFiles(), "config.json": "" });
  writeModelFiles(snapshot("List"), { ...tinyChatFiles(), "config.json": "[]" });
  writeModelFiles(snapshot("Circle"), tinyChatFiles());
  symlinkSync(snapshot("Circle"), join(snapshot("Circle"), "again"));
  symlinkSync("self", join(snapshot("Circle"), "self"));
  writeModelFiles(hub, { "models--o--File": "a file", "models--o--Snapshot/snapshots/1": "a file" });
  mkdirSync(snapshot("Out"), { recursive: true });
  symlinkSync(join(home, "elsewhere"), join(snapshot("Out"), "config.json"));
  const studio = join(home, ".lmstudio/models");
  writeModelFiles(studio, {
    "p/ü n/ö x.gguf": gguf,
    "p/r/zero.gguf": "",
    "p/r/four.gguf": "GGUF",
    "p/r/part-00001-of-00003.gguf": gguf,
    "p/r/folder.gguf/x": "a file",
  });
  symlinkSync(studio, join(studio, "p/again"));
}

test("svc model list --found says of each broken model why, and add refuses it with the same reason", async (t) => {
  if (process.platform === "win32") return t.skip("links need a permission there");
  await withModelMachine(async ({ home, store, out, environment, run }) => {
    environment.HOME = home;
    writeFileSync(join(home, "elsewhere"), "root:x:0:0");
    brokenOllama(join(home, ".ollama/models"));
    brokenCaches(home);
    assert.equal(await run("list", "--found", "--json"), 0);
    const { found } = JSON.parse(out[0]) as {
      found: { name: string; id: string; path: string; engine?: string; problem?: string }[];
    };
    const said = Object.fromEntries(found.map(({ name, engine, problem }) => [name, problem ?? engine]));
    const lacks = "expected a folder in Hugging Face layout or a .gguf file";
    const ends = (bytes: number) =>
      `it ends after ${bytes} bytes, expected a whole GGUF file: download it again, or choose another file`;
    assert.deepEqual(said, {
      "o/Circle": "onnx-text",
      "o/Config": "it is empty, expected JSON",
      "o/Empty": "it ends at byte 0, expected a complete ONNX model",
      "o/Leer é": "onnx-text",
      "o/List": "it is an array, expected an object",
      "o/Out": "it has no weights: there is config.json, expected .onnx or .gguf files",
      "o/Snapshot": `it is neither a folder nor a .gguf file, ${lacks}`,
      "circle:latest": `it does not exist, ${lacks}`,
      "folder:latest": `it is an empty folder, ${lacks}`,
      "zero:latest": `it is empty, ${lacks}`,
      "名前 mit Leer:latest": "gguf-text",
      "p/r/four": ends(4),
      "p/r/part": "it has 1 of the 3 parts of part-00001-of-00003.gguf, expected all: part-00002-of-00003.gguf, " +
        "part-00003-of-00003.gguf are missing",
      "p/r/zero": ends(0),
      "p/ü n/ö x": "gguf-text",
    });
    for (const { path, id, problem } of found) {
      const added = run("add", path, "--id", id, "--link");
      if (problem === undefined) assert.equal(await added, 0, id);
      else {
        const refused = await added.then(() => "", (error: Error) => error.message);
        assert.ok(refused.endsWith(problem), `${id}: ${refused}`);
      }
    }
    const usable = found.filter(({ problem }) => problem === undefined).map(({ id }) => id);
    assert.deepEqual((await store.list()).map(({ id }) => id).sort(), usable.sort());
  });
});

test("a server names the files that linked models have lost, and continues with others", async () => {
  await withApiProcess({ models: ["tiny-chat"] }, async ({ home, post, get }) => {
    const store = openModelStore(join(home, "models"));
    const link = async (id: string, path: string) =>
      void await addModel(store, { path, id, link: true }, () => {}, new AbortController().signal);
    const folder = join(home, "elsewhere é");
    writeModelFiles(join(folder, "gone"), tinyChatFiles());
    writeModelFiles(folder, { blob: gguf, "cut.gguf": gguf });
    for (const [id, path] of [["gone", "gone"], ["blob", "blob"], ["cut", "cut.gguf"]]) {
      await link(id, join(folder, path));
    }
    rmSync(join(folder, "gone"), { recursive: true });
    rmSync(join(folder, "blob"));
    writeFileSync(join(folder, "cut.gguf"), "");
    const chat = async (model: string) => {
      const messages = [{ role: "user", content: "Hi" }];
      const response = await post("/v1/chat/completions", { model, messages, max_tokens: 2 });
      const { error } = await response.json();
      return [response.status, error?.code, error?.message];
    };
    const missing = "it is missing, put it back, or remove the model and add it again; the server's log has more";
    const unavailable = (message: string) => [503, "model_unavailable", message];
    assert.deepEqual(
      await chat("gone"),
      unavailable(`Cannot load model gone: Cannot read config.json: ${missing}`),
    );
    assert.deepEqual(await chat("blob"), unavailable(`Cannot load model blob: Cannot read model.gguf: ${missing}`));
    const [status, code, message] = await chat("cut");
    assert.deepEqual([status, code], [503, "model_unavailable"]);
    assert.match(
      message,
      /^Cannot load model cut: Cannot read cut\.gguf: it ends after 0 bytes, expected a whole GGUF/,
    );
    assert.deepEqual(await chat("tiny-chat"), [200, undefined, undefined]);
    assert.equal((await get("/runtime/status")).status, "ok");
  });
});
