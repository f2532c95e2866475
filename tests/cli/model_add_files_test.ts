import { commandLineMessage } from "../../lib/platform/terminal/flags.ts";
import type { SvcError } from "../../lib/errors/svc_error.ts";
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { embeddingModel } from "../fixtures/tiny_models/embedding_model.ts";
import { ggufChatModel } from "../fixtures/tiny_models/gguf_chat_model.ts";
import { ggufFile } from "../fixtures/tiny_models/gguf_file.ts";
import { imageModel } from "../fixtures/tiny_models/image_model.ts";
import { libraryVisionModel } from "../fixtures/tiny_models/library_vision_model.ts";
import { maskedDiffusionModel } from "../fixtures/tiny_models/masked_diffusion_model.ts";
import { onnxChatModel } from "../fixtures/tiny_models/onnx_chat_model.ts";
import { rerankModel } from "../fixtures/tiny_models/rerank_model.ts";
import { tdtModel } from "../fixtures/tiny_models/tdt_model.ts";
import { transcriptionModel } from "../fixtures/tiny_models/transcription_model.ts";
import { translationModel } from "../fixtures/tiny_models/translation_model.ts";
import { visionChatModel } from "../fixtures/tiny_models/vision_chat_model.ts";
import { visionModel } from "../fixtures/tiny_models/vision_models.ts";
import { withModelMachine, writeModelFiles } from "../support/model_machine.ts";

type Files = Readonly<Record<string, Uint8Array | string>>;

const chat: Files = onnxChatModel({ kind: "gqa", weights: "q4" });
const outside: Files = onnxChatModel({ kind: "gqa", weights: "f32", externalData: true });
const [gguf] = Object.values(ggufChatModel());
/** Any graph. */
const graph = tdtModel()["encoder-model.onnx"];
const WEIGHTS = "onnx/model_q4.onnx";
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 1234567\n`;

const without = (files: Files, ...names: string[]): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes]));
const cut = (bytes: Uint8Array | string, less: number): Uint8Array => (bytes as Uint8Array).slice(0, -less);

/** What is said about the folder `~/The Model` with files, or about one of them. */
const refused: readonly (readonly [what: string, files: Files, message: RegExp, name?: string])[] = [
  ["no configuration", without(chat, "config.json"), /Model: it has no config\.json, add the file/],
  ["no tokenizer", without(chat, "tokenizer.json"), /: it has no tokenizer\.json, add the file/],
  [
    "an older tokenizer",
    { ...without(chat, "tokenizer.json"), "tokenizer.model": "x" },
    /no tokenizer\.json, tokenizer\.model alone is not enough/,
  ],
  [
    "neither",
    without(chat, "config.json", "tokenizer.json"),
    /it has no config\.json and no tokenizer\.json, add the f/,
  ],
  [
    "no weights",
    without(chat, WEIGHTS),
    /: it has no weights: there are chat_template\.jinja, config\.json, .*\.onnx or/,
  ],
  [
    "no weights beside the graph",
    without(outside, "onnx/model.onnx_data"),
    /: it has no onnx\/model\.onnx_data, add the f/,
  ],
  [
    "no template",
    without(chat, "chat_template.jinja"),
    /it is a base model: it has no chat template .* chat\.completions/,
  ],
  [
    "no template to fill in",
    without(maskedDiffusionModel(), "chat_template.jinja"),
    /it is a base model: it has no chat t/,
  ],
  ["embedding, no configuration", without(embeddingModel(), "config.json"), /: it has no config\.json, add the file/],
  ["embedding, no tokenizer", without(embeddingModel(), "tokenizer.json"), /: it has no tokenizer\.json, add the file/],
  ["rerank, no configuration", without(rerankModel(), "config.json"), /: it has no config\.json, add the file/],
  [
    "Whisper, no tokenizer",
    without(transcriptionModel(), "tokenizer.json"),
    /: it has no tokenizer\.json, add the file/,
  ],
  [
    "Whisper, no decoder",
    without(transcriptionModel(), "onnx/decoder_model_merged.onnx"),
    /: it has no onnx\/decoder_model_merged\.onnx, add/,
  ],
  ["Parakeet, no vocabulary", without(tdtModel(), "vocab.txt"), /: it has no vocab\.txt, add the file/],
  ["Parakeet, no encoder", without(tdtModel(), "encoder-model.onnx"), /: it has no encoder-model\.onnx, add the file/],
  [
    "Moonshine, no tokenizer",
    { "encoder_model.ort": "x", "decoder_model_merged.ort": "x" },
    /it has no tokenizer\.bin, add/,
  ],
  [
    "Moonshine of the hub, no graphs",
    { "config.json": '{"model_type":"moonshine"}', "tokenizer.json": "{}", "onnx/encoder_model.onnx": graph },
    /: it has no onnx\/decoder_model_merged\.onnx, add/,
  ],
  [
    "Kokoro, no voices",
    { "onnx/kokoro-v1.onnx": graph, "config.json": "{}" },
    /: it has no voices\/af_heart\.bin or other/,
  ],
  [
    "Kokoro, no network",
    { "voices/af_heart.bin": "x", "onnx/other.onnx": graph },
    /: it has no onnx\/model\.onnx, add/,
  ],
  [
    "Hibari, no voices",
    { "hibari.onnx": graph, "vocab.json": "{}" },
    /: it has no voices\.json and no normalize\.json, add/,
  ],
  [
    "a translator, no encoder",
    without(translationModel(), "onnx/encoder_model.onnx"),
    /: it has no onnx\/encoder_model\.o/,
  ],
  [
    "eyes, no processor",
    without(visionChatModel(), "preprocessor_config.json"),
    /: it has no preprocessor_config\.json, which images need/,
  ],
  [
    "eyes, no table",
    without(visionChatModel(), "onnx/embed_tokens.onnx"),
    /: it has no onnx\/embed_tokens\.onnx, add/,
  ],
  [
    "eyes of the library, no template",
    without(libraryVisionModel("qwen2_vl"), "chat_template.jinja"),
    /it is a base model: it has no chat template/,
  ],
  [
    "the folder of graphs",
    chat,
    /it has no config\.json and no tokenizer\.json, .*; name the folder above: .*The Model$/,
    "onnx",
  ],
  ["a pipeline, no index", without(imageModel(), "model_index.json"), /: it has no model_index\.json, add the file/],
  ["a pipeline, no part", without(imageModel(), "vae/config.json"), /vae\/config\.json is missing/],
  [
    "a pipeline, no shard",
    without(imageModel(), "text_encoder/model-00002-of-00002.safetensors"),
    /no text_encoder\/model-00002-of-00002\.safetensors \(shard 2 of 2\), which text_encoder\/model\.safetensors\.index\.json/,
  ],
  [
    "a pipeline, no index of shards",
    without(imageModel(), "text_encoder/model.safetensors.index.json"),
    /: it has no text_encoder\/model\.safetensors\.index\.json, which says where/,
  ],
  [
    "vision, no configuration",
    without(visionModel("vision-geometry-moge2-small"), "config.json"),
    /: it has no config\.json, a/,
  ],
  [
    "another architecture",
    { ...chat, "config.json": '{"architectures":["XForMaskedLM"]}' },
    /names "XForMaskedLM", which no e/,
  ],
  ["no JSON", { ...chat, "config.json": "{ nope" }, /^Cannot use config\.json: /],
  ["a pointer", { ...chat, [WEIGHTS]: POINTER }, /onnx\/model_q4\.onnx is a pointer of Git LFS, .* "git lfs pull"/],
  ["pointers", { ...chat, [WEIGHTS]: POINTER, "tokenizer.json": POINTER }, /\(and 1 more\) is a pointer of Git LFS/],
  ["a pointer to GGUF", { "a.gguf": POINTER }, /a\.gguf is a pointer of Git LFS/, "a.gguf"],
  ["a web page", { ...chat, "tokenizer.json": "<!DOCTYPE html>\n<html>" }, /tokenizer\.json is a web page/],
  ["an answer of the hub", { ...chat, "config.json": "Entry not found" }, /config\.json is a web page/],
  ["a cut graph", { ...chat, [WEIGHTS]: cut(chat[WEIGHTS], 500) }, /model_q4\.onnx: it ends at byte .* complete ONNX/],
  [
    "cut weights",
    { ...outside, "onnx/model.onnx_data": cut(outside["onnx/model.onnx_data"], 1) },
    /onnx\/model\.onnx_data: it ends after \d+ bytes of at least \d+, expected a whole ONNX data file/,
  ],
  [
    "a cut GGUF",
    { "a.gguf": cut(gguf, 1) },
    /a\.gguf: it ends after \d+ bytes of at least \d+, expected a whole GGUF/,
    "a.gguf",
  ],
  [
    "a GGUF cut in its head",
    { "a.gguf": gguf.slice(0, 300) },
    /it ends after 300 bytes, expected a whole GGUF/,
    "a.gguf",
  ],
  [
    "a part",
    { "a-00002-of-00003.gguf": gguf },
    /1 of the 3 parts .* a-00001-of-00003\.gguf, a-00003-of-00003\.gguf are missing/,
    "a-00002-of-00003.gguf",
  ],
  [
    "a base model in GGUF",
    {
      "a.gguf": ggufFile({
        "general.architecture": "llama",
        "llama.context_length": { uint32: 64 },
        "llama.block_count": { uint32: 1 },
      }, []),
    },
    /it is a base model: it has no chat template \(no tokenizer\.chat_template\)/,
    "a.gguf",
  ],
  [
    "two models in GGUF",
    { "a-Q4_0.gguf": gguf, "b-Q8_0.gguf": gguf },
    /holds 2 models \(a-Q4_0\.gguf, b-Q8_0\.gguf\), expected one/,
  ],
  [
    "two models",
    { ...below("a", chat), ...below("b/c", embeddingModel()) },
    /holds 2 models \(a, b\/c\), expected one: name/,
  ],
  [
    "a model below, without a tokenizer",
    below("a/b", without(chat, "config.json")),
    /\(in a\/b\): it has no config\.json/,
  ],
  [
    "PyTorch",
    { "config.json": "{}", "pytorch_model.bin": "x" },
    /pytorch_model\.bin is a PyTorch checkpoint, expected \.onnx/,
  ],
  ["a checkpoint", { "model.pt": "x" }, /it is a PyTorch checkpoint, get ONNX or GGUF/, "model.pt"],
  [
    "one file",
    chat,
    /neither a folder nor a \.gguf file.*config\.json is one file of a model, name the folder: /,
    "config.json",
  ],
  ["a tar", { "a.tar.gz": "x" }, /unpack it, and name its folder/, "a.tar.gz"],
  ["an empty folder", {}, /The Model: it is an empty folder, expected a folder/],
  ["nothing", chat, /nothing: it does not exist, expected/, "nothing"],
];

for (const [what, files, message, name] of refused) {
  test(`svc model add says what is missing or wrong: ${what}`, () =>
    withModelMachine(async ({ home, store, run }) => {
      const folder = join(home, "The Model");
      mkdirSync(folder);
      writeModelFiles(folder, files);
      await assert.rejects(run("add", name === undefined ? folder : join(folder, name)), (error: Error) => {
        assert.match(error.message, /^Cannot (add|use|read|open|load) /);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /images\.edits, audio\.speech/);
        return true;
      });
      assert.deepEqual(await store.list(), []);
    }));
}

const HASH = "0123456789abcdef0123456789abcdef01234567";

/** The id of what is added without one. */
const named: readonly (readonly [path: string, id: string, files?: Files])[] = [
  ["Tiny Chat-Q4_K_M.gguf", "tiny-chat-q4_k_m"],
  ["TINY.GGUF", "tiny"],
  ["tiny-00001-of-00001.gguf", "tiny"],
  ["Café (1).gguf", "cafe-1"],
  [`${HASH}.gguf`, "tiny-chat"],
  [`sha256-${HASH}${HASH.slice(0, 24)}`, "tiny-chat"],
  [HASH, "tiny-chat"],
  ["model-Q8_0.gguf", "tiny-chat"],
  ["con.gguf", "tiny-chat"],
  ["模型.gguf", "tiny-chat"],
  [`${"x".repeat(200)}.gguf`, "x".repeat(96)],
  ["Qwen3 0.6B ONNX", "qwen3-0.6b-onnx", chat],
  ["My Collection", "my-collection", below("inner", chat)],
  [`models--someone--Tiny-Chat/snapshots/${HASH}`, "tiny-chat", chat],
  ["models--someone--Tiny-Chat", "tiny-chat", below(`snapshots/${HASH}`, chat)],
  ["Parent/model", "parent", chat],
];

for (const [path, id, files] of named) {
  test(`svc model add makes an id of ${path.slice(0, 60)}`, () =>
    withModelMachine(async ({ home, store, run }) => {
      writeModelFiles(files ? join(home, path) : home, files ?? { [path]: gguf });
      assert.equal(await run("add", join(home, path)), 0);
      assert.deepEqual((await store.list()).map((model) => model.id), [id]);
      const message =
        `Cannot add ${id}: a model with this id is installed, remove it with svc model rm ${id} or choose another --id`;
      await assert.rejects(run("add", join(home, path)), (error: SvcError) => {
        assert.deepEqual([error.code, commandLineMessage(error)], ["already_installed", message]);
        return true;
      });
    }));
}

test("svc model add asks for an id where no name makes one", () =>
  withModelMachine(async ({ home, run }) => {
    const bare = ggufChatModel();
    writeModelFiles(join(home, "blobs"), { [HASH]: withoutName(Object.values(bare)[0]) });
    await assert.rejects(run("add", join(home, "blobs", HASH)), {
      message: /its name makes no id, expected one with --id/,
    });
    assert.equal(await run("add", join(home, "blobs", HASH), "--id", "mine"), 0);
  }));

/** The file with another key in place of `general.name`. */
function withoutName(bytes: Uint8Array): Uint8Array {
  const key = new TextEncoder().encode("general.name");
  const at = bytes.findIndex((_, i) => key.every((byte, j) => bytes[i + j] === byte));
  return bytes.with(at, "G".charCodeAt(0));
}

test("svc model add names links of a cache whose files are gone", async (t) => {
  if (process.platform === "win32") return t.skip("links need a permission there");
  await withModelMachine(async ({ home, run }) => {
    const snapshot = join(home, "models--someone--Tiny", "snapshots", HASH);
    writeModelFiles(snapshot, without(chat, "config.json"));
    symlinkSync("../../blobs/gone", join(snapshot, "config.json"));
    await assert.rejects(run("add", join(home, "models--someone--Tiny")), {
      message: /it has no config\.json, .*; links of the folder lead to files that are gone: config\.json$/,
    });
  });
});
