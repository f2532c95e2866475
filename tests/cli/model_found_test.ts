import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { findModels } from "../../lib/store/found/find_models.ts";
import { memoryFit } from "../../lib/store/free_space.ts";
import { ggufVisionModel } from "../fixtures/tiny_models/gguf_vision_model.ts";
import { readModelSource } from "../../lib/store/model_folder.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { tinyChatFiles, withModelMachine, writeModelFiles } from "../support/model_machine.ts";
import { withFolder } from "../support/temporary_folder.ts";

const [gguf] = Object.values(ggufChatModel());
const digest = createHash("sha256").update(gguf).digest("hex");

/** Folders as the hub's library, Ollama and LM Studio make them. */
const { "tiny-vision.gguf": seer, "mmproj-tiny-vision.gguf": projector } = ggufVisionModel();
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function otherPrograms(home: string): void {
  const repository = join(home, ".cache/huggingface/hub/models--someone--Tiny-Chat");
  const snapshot = join(repository, "snapshots/0123abcd");
  for (const [path, bytes] of Object.entries(tinyChatFiles())) {
    const blob = createHash("sha256").update(bytes).digest("hex");
    writeModelFiles(join(repository, "blobs"), { [blob]: bytes });
    mkdirSync(join(snapshot, path, ".."), { recursive: true });
    symlinkSync(join(repository, "blobs", blob), join(snapshot, path));
  }
  writeModelFiles(join(home, ".cache/huggingface/hub/models--someone--Torch/snapshots/1"), {
    "config.json": "{}",
    "pytorch_model.bin": "x",
  });
  const manifest = (mediaType: string, hash: string) =>
    JSON.stringify({ schemaVersion: 2, layers: [{ mediaType, digest: `sha256:${hash}` }] });
  const weights = "application/vnd.ollama.image.model";
  const manifests = "manifests/registry.ollama.ai/library";
  writeModelFiles(join(home, ".ollama/models"), {
    [`${manifests}/tiny/0.1b`]: manifest(weights, digest),
    [`${manifests}/evil/latest`]: manifest(weights, "../../../etc/passwd"),
    [`${manifests}/gone/latest`]: manifest(weights, "0".repeat(64)),
    [`${manifests}/odd/latest`]: "not JSON",
    [`blobs/sha256-${digest}`]: gguf,
    [`${manifests}/seer/latest`]: JSON.stringify({
      layers: [
        { mediaType: weights, digest: `sha256:${hashOf(seer)}` },
        { mediaType: "application/vnd.ollama.image.projector", digest: `sha256:${hashOf(projector)}` },
      ],
    }),
    [`blobs/sha256-${hashOf(seer)}`]: seer,
    [`blobs/sha256-${hashOf(projector)}`]: projector,
  });
  writeModelFiles(join(home, ".lmstudio/models/someone/tiny"), {
    "tiny-Q8_0.gguf": gguf,
    "mmproj-tiny.gguf": projector,
    "broken.gguf": "GGUF?",
  });
}

test("svc model list --found shows the main branch, and survives pipes and links to nowhere", async (t) => {
  if (process.platform === "win32") return t.skip("it has no named pipes");
  await withModelMachine(async ({ home, out, environment, run }) => {
    // Ollama's service may be on this machine.
    Object.assign(environment, { HOME: home, OLLAMA_MODELS: join(home, ".ollama/models") });
    const repository = join(home, ".cache/huggingface/hub/models--someone--Branches");
    writeModelFiles(join(repository, "snapshots/aaaa"), tinyChatFiles());
    writeModelFiles(repository, { "refs/main": "aaaa\n" });
    mkdirSync(join(repository, "snapshots/ffff"), { recursive: true });
    symlinkSync("../../blobs/gone", join(repository, "snapshots/ffff/config.json"));
    const pipes = ["snapshots/aaaa/generation.bin", "../models--someone--Pipe/refs/main"].map((path) =>
      join(repository, path)
    );
    writeModelFiles(join(repository, "../models--someone--Pipe/snapshots/1"), { "tiny.gguf": gguf });
    pipes.push(join(home, ".ollama/models/manifests/registry.ollama.ai/library/pipe/latest"));
    pipes.push(join(home, ".lmstudio/models/someone/pipe/pipe.gguf"));
    for (const pipe of pipes) {
      mkdirSync(join(pipe, ".."), { recursive: true });
      execFileSync("mkfifo", [pipe]);
    }
    assert.equal(await run("list", "--found"), 0);
    const text = out.join("\n");
    assert.match(text, /^someone\/Branches \(hub cache, onnx-text, .+\)\n {2}svc model add .+aaaa.* --link$/m);
    assert.match(text, /^someone\/Pipe \(hub cache, gguf-text, /m);
    assert.doesNotMatch(text, /^pipe|lm studio|ollama/m);
  });
});

test("svc model list --found offers models of other programs, and svc model add --link uses them in place", async () => {
  await withModelMachine(async ({ home, store, out, environment, run }) => {
    // Ollama's service may be on this machine.
    Object.assign(environment, { HOME: home, OLLAMA_MODELS: join(home, ".ollama/models") });
    assert.equal(await run("list", "--found"), 0);
    assert.deepEqual(out, ["No models found in the caches of the Hugging Face hub, Ollama and LM Studio"]);
    otherPrograms(home);
    out.length = 0;
    assert.equal(await run("list", "--found"), 0);
    const blob = join(home, ".ollama/models/blobs", `sha256-${digest}`);
    const text = out.join("\n");
    assert.match(text, /^someone\/Tiny-Chat \(hub cache, onnx-text, [\d.]+ MiB, fits\)\n {2}svc model add .+ --link$/m);
    assert.match(text, /^someone\/Torch \(hub cache\)\n {2}cannot be used: its weights have another format/m);
    assert.match(text, /^tiny:0\.1b \(ollama, gguf-text, [\d.]+ MiB, fits\)$/m);
    assert.match(text, /^gone:latest \(ollama\)\n {2}cannot be used: it does not exist/m);
    assert.match(text, /^someone\/tiny\/broken \(lm studio, 0\.1 KiB\)\n {2}cannot be used: /m);
    assert.match(text, /^seer:latest \(ollama, gguf-text, [\d.]+ MiB, fits\)$/m);
    assert.doesNotMatch(text, /evil|odd|mmproj|passwd/);
    assert.ok(out.includes(`  svc model add ${blob} --id tiny-0.1b --link`), text);
    out.length = 0;
    assert.equal(await run("list", "--found", "--json"), 0);
    const { found } = JSON.parse(out[0]);
    const usable = found.filter(({ problem }: { problem?: string }) => problem === undefined);
    assert.deepEqual(usable.map(({ id, engine }: { id: string; engine: string }) => [id, engine]), [
      ["tiny-chat", "onnx-text"],
      ["seer", "gguf-text"],
      ["tiny-0.1b", "gguf-text"],
      ["tiny-q8_0", "gguf-text"],
    ]);
    for (const { path, id } of usable) assert.equal(await run("add", path, "--id", id, "--link"), 0, id);
    const files = new Map((await store.list()).map(({ id, files }) => [id, files.map(({ path }) => path)]));
    assert.deepEqual(files.get("seer"), ["model.gguf", "mmproj.gguf"]);
    assert.deepEqual(files.get("tiny-q8_0"), ["tiny-Q8_0.gguf", "mmproj-tiny.gguf"]);
    assert.deepEqual(files.get("tiny-0.1b"), ["model.gguf"]);
    const [linked] = (await store.list()).filter(({ id }) => id === "tiny-0.1b");
    assert.ok(lstatSync(join(linked.folder, "model.gguf")).isSymbolicLink());
    assert.equal(linked.files[0].sha256, digest);
    assert.equal(await run("verify"), 0);
    for (const { id } of usable) assert.equal(await run("rm", id, "--yes"), 0);
    assert.ok(existsSync(blob));
    assert.equal(await run("add", blob, "--id", "copied"), 0);
    assert.ok(lstatSync(join(store.layout.model("copied"), "model.gguf")).isFile());
    writeFileSync(join(home, "noise"), "not GGUF");
    await assert.rejects(run("add", join(home, "noise"), "--id", "noise"), { code: "unsuitable_files" });
  });
});

test("findModels() looks in every folder that Ollama and the hub's library have", async () => {
  await withFolder(async (folder) => {
    const manifest = { layers: [{ mediaType: "application/vnd.ollama.image.model", digest: `sha256:${digest}` }] };
    for (const owner of ["service/.ollama/models", "home/.ollama/models"]) {
      writeModelFiles(join(folder, owner), {
        "manifests/hf.co/me/Tiny-GGUF/Q8_0": JSON.stringify(manifest),
        [`blobs/sha256-${digest}`]: gguf,
      });
    }
    writeModelFiles(join(folder, "hub/models--me--tiny/snapshots/1"), { "Tiny.GGUF": gguf });
    const environment: Record<string, string> = {
      HOME: join(folder, "home"),
      HUGGINGFACE_HUB_CACHE: join(folder, "hub"),
    };
    const find = async () => {
      const shared = [join(folder, "service/.ollama/models"), join(folder, "nowhere")];
      const found = await findModels((name) => environment[name], [{ id: "tiny" }], shared);
      return found.map(({ origin, id, engine }) => `${origin}: ${id}, ${engine}`);
    };
    assert.deepEqual(await find(), [
      "hub cache: tiny-2, gguf-text",
      "ollama: tiny-gguf-q8_0, gguf-text",
      "ollama: tiny-gguf-q8_0-2, gguf-text",
    ]);
    environment.OLLAMA_MODELS = join(folder, "service/.ollama/models");
    environment.HF_HUB_CACHE = join(folder, "empty");
    assert.deepEqual(await find(), ["ollama: tiny-gguf-q8_0, gguf-text"]);
  });
});

test("findModels() follows links to LM Studio's folders, and one that it cannot list hides no other", async (t) => {
  if (process.platform === "win32") return t.skip("links need a permission there");
  await withFolder(async (folder) => {
    const models = join(folder, "home/.lmstudio/models");
    writeModelFiles(join(models, "a/crowd"), Object.fromEntries(crowd.map((name) => [name, ""])));
    writeModelFiles(join(models, "b/plain"), { "deep/er/Plain-Q8_0.gguf": gguf, "mmproj-Plain.gguf": gguf });
    writeModelFiles(join(folder, "disk/repository"), { "Linked-Q8_0.gguf": gguf });
    symlinkSync(join(folder, "disk"), join(models, "c"));
    symlinkSync(join(folder, "disk/repository"), join(models, "b/linked"));
    symlinkSync(join(folder, "gone"), join(models, "d"));
    writeFileSync(join(models, "note.txt"), "");
    const found = await findModels((name) => name === "HOME" ? join(folder, "home") : undefined, [], []);
    assert.deepEqual(found.map(({ name, engine }) => [name, engine]), [
      ["b/linked/Linked-Q8_0", "gguf-text"],
      ["b/plain/deep/er/Plain-Q8_0", "gguf-text"],
      ["c/repository/Linked-Q8_0", "gguf-text"],
    ]);
  });
});

/** More files than a model has. */
const crowd = Array.from({ length: 10_001 }, (_, i) => `${i}.txt`);

test("readModelSource() takes the parts of a model, its projector and no other file, and says how a blob is used", async () => {
  await withFolder(async (folder) => {
    const others = ["a-00001-of-00003.gguf", "a-q8.gguf", "b-mmproj.gguf", "b-00002-of-00002.gguf"];
    const parts = ["a-00001-of-00002.gguf", "a-00002-of-00002.gguf", "a-mmproj.gguf"];
    writeModelFiles(folder, Object.fromEntries([...others, ...parts, "sha256-0"].map((name) => [name, gguf])));
    const { paths } = await readModelSource(join(folder, parts[1]), "add");
    assert.deepEqual([...paths].sort(), parts);
    await assert.rejects(
      readModelSource(join(folder, "sha256-0"), "serve"),
      /svc model add .+sha256-0 --id NAME --link/,
    );
  });
});

test("memoryFit() reports what fits now, what would on an empty machine, and what never will", () => {
  const gib = 2 ** 30;
  const now = { physicalBytes: 32 * gib, currentBytes: 0, availableBytes: 10 * gib };
  const fits = [1, 8, 20, 30].map((size) => memoryFit(size * gib, now));
  assert.deepEqual(fits, ["fits", "fits", "tight", "too large"]);
});
