import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { openModels } from "../../../lib/app/models/open_models.ts";
import type { Models } from "../../../lib/app/models/models.ts";
import { artifactRoot } from "../../../lib/platform/files/work_folder.ts";
import { decodeImage } from "../../../lib/media/images/decode_image.ts";
import { NO_VOICE, speechModelFiles } from "../../support/speech_model_files.ts";
import { installTinyModels } from "../../support/tiny_store.ts";
import { clip, cutOut, picture } from "../../support/vision_uploads.ts";
import { installVoice } from "../../support/voice_store.ts";

const voice = await speechModelFiles();
const sounds = new URL("../../fixtures/sounds/", import.meta.url);
const vision = [
  "vision-geometry-moge2-small",
  "vision-geometry-da3-small",
  "image-3d-triposr",
  "image-3d-instantmesh-base",
  "vision-depth-vda-small",
] as const;

let home: string;
let models: Models;

before(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "svc-test-")));
  await installTinyModels(home, ["tiny-image", "tiny-transcription", ...vision]);
  if (voice) await installVoice(home, voice);
  models = await openHere();
});

after(async () => {
  await models.close();
  rmSync(home, { recursive: true, force: true });
});

/** Opens the models of the home. Other files' tests run in this process, so that the variable stays for the start only. */
async function openHere(): Promise<Models> {
  const given = process.env.SVC_HOME;
  process.env.SVC_HOME = home;
  try {
    return await openModels({ device: "cpu", threads: 1, memoryGuard: { tier: "off" } });
  } finally {
    if (given === undefined) delete process.env.SVC_HOME;
    else process.env.SVC_HOME = given;
  }
}

const sound = (name: string) => new Uint8Array(readFileSync(new URL(name, sounds)));

/** Folders of requests of this process, or of its results, that are on the disk. */
function onDisk(root: string): string[] {
  return existsSync(root) ? readdirSync(root).filter((name) => name.startsWith(`${process.pid}-`)) : [];
}

/** A test after which no file of a request is left. */
function leavingNothing(work: () => Promise<void>): () => Promise<void> {
  const root = artifactRoot().replace("artifacts", "work");
  return async () => {
    const before = onDisk(root);
    await work();
    assert.deepEqual(onDisk(root), before, "a request has left files behind");
  };
}

test(
  "openModels() makes images of bytes, with previews, the same for the same seed",
  leavingNothing(async () => {
    const ask = { model: "tiny-image", prompt: "a red hall", size: "64x48", seed: 7, steps: 4 };
    const warnings: string[] = [];
    const onWarning = (sentence: string) => void warnings.push(sentence);
    const image = await models.image({ ...ask, quality: "hd" } as typeof ask, { onWarning });
    assert.deepEqual([image.width, image.height, image.seed, image.preview], [64, 48, "7", undefined]);
    assert.deepEqual((await decodeImage(image.png)).height, 48);
    assert.match(warnings.join(), /"quality"/);

    const chunks = [];
    for await (const chunk of models.streamImage({ ...ask, partial_images: 2 })) chunks.push(chunk);
    assert.deepEqual(chunks.map(({ preview }) => preview), [0, 1, undefined]);
    assert.deepEqual(chunks[2].png, image.png);
    assert.equal((await decodeImage(chunks[0].png)).width, 64);
  }),
);

test(
  "openModels() edits images, whatever holds their bytes",
  leavingNothing(async () => {
    const [red, blue] = [await picture(64, 64, 3), await picture(64, 64, 5)];
    const ask = { model: "tiny-image", prompt: "make it blue", size: "64x64", seed: 5, steps: 2 };
    const bytes = new Uint8Array(await red.arrayBuffer());
    const { png } = await models.image({ ...ask, image: bytes });
    assert.deepEqual((await models.image({ ...ask, image: red })).png, png);
    assert.notDeepEqual((await models.image({ ...ask, image: [bytes, blue] })).png, png);
    assert.notDeepEqual((await models.image({ ...ask, image: bytes, strength: 0.5 })).png, png);
    const edited = [];
    for await (const chunk of models.streamImage({ ...ask, image: bytes, partial_images: 1 })) edited.push(chunk);
    assert.deepEqual([edited.length, edited[1].png], [2, png]);
  }),
);

test(
  "openModels() refuses fields by name, as the routes do, and leaves no file behind",
  leavingNothing(async () => {
    const image = await picture(64, 64);
    const refused = [
      [() => models.image({ prompt: "x", size: "40x64" }), "invalid_size", "size"],
      [() => models.image({ prompt: "x", image, size: "40x64" }), "invalid_size", "size"],
      [() => models.image({ prompt: "x", strength: 0.5 }), "missing_field", "image"],
      [() => models.image({ prompt: "x", image: new Uint8Array() }), "invalid_image", "image"],
      [() => models.image({ prompt: "x", image: "photo.png" as unknown as Blob }), "invalid_image", "image"],
      [() => models.image({ prompt: "x", image, seeds: 1 } as never), "unknown_field", "seeds"],
      [() => models.image({ prompt: "x", image: new Uint8Array(100 * 2 ** 20 + 1) }), "body_too_large", undefined],
      [() => models.streamImage({ prompt: "x", image: new Uint8Array(99) }).next(), "image_unsupported", "image"],
      [() => models.transcribe({ file: sound("vorbis.ogg"), language: "xx" }), "invalid_language", "language"],
      [() => models.transcribe({ file: new Blob(["no sound"]) }), "audio_unsupported", "file"],
      [
        () => models.streamTranscription({ file: sound("vorbis.ogg"), response_format: "srt" }).next(),
        "invalid_stream",
        "stream",
      ],
      [() => models.speak({ input: " " }), "invalid_input", "input"],
      [
        () => models.vision("geometry", { image, resolution_level: 10 }),
        "invalid_resolution_level",
        "resolution_level",
      ],
      [() => models.vision("multiview", { image: [] }), "missing_field", "image"],
      [() => models.vision("depthVideo", { video: image }), "invalid_video", "video"],
    ] as const;
    for (const [call, code, param] of refused) {
      const { status, reason } = (await Promise.allSettled([call()]))[0] as PromiseRejectedResult;
      assert.deepEqual([status, reason?.code, reason?.param], ["rejected", code, param], reason?.message);
    }
  }),
);

test(
  "openModels() transcribes bytes whole, in chunks and as subtitles",
  leavingNothing(async () => {
    const file = sound("vorbis.ogg");
    const whole = await models.transcribe({ file, timestamp_granularities: ["word"] });
    assert.ok(whole.duration > 0 && whole.text.length > 0 && whole.segments.length > 0, JSON.stringify(whole));
    assert.equal(whole.words?.map(({ word }) => word.trim()).join(" "), whole.text);
    assert.equal(JSON.parse(whole.formatted).text, whole.text);
    const { formatted, words } = await models.transcribe({ file: new Blob([file]), response_format: "srt" });
    assert.match(formatted, /^1\n00:00:0/);
    assert.equal(words, undefined);

    const chunks = [];
    for await (const chunk of models.streamTranscription({ file })) chunks.push(chunk);
    assert.equal(chunks.map(({ delta }) => delta).join(""), whole.text);
    assert.deepEqual(chunks.at(-1)?.transcription?.segments, whole.segments);
  }),
);

test(
  "openModels() speaks whole and in chunks",
  { skip: voice ? false : `not run: ${NO_VOICE}` },
  leavingNothing(async () => {
    const input = "The old man sat by the window. He watched the snow, and said nothing.";
    const speech = await models.speak({ input });
    assert.equal(speech.mediaType, "audio/wav");
    assert.ok(
      speech.seconds > 3 && speech.seconds < 8 && speech.phonemes > 20,
      JSON.stringify({ ...speech, bytes: 0 }),
    );
    const header = new DataView(speech.bytes.buffer);
    assert.equal(header.getUint32(40, true), speech.bytes.length - 44, "the header has no length");
    assert.equal((speech.bytes.length - 44) / 2 / speech.sampleRate, speech.seconds);

    const chunks = [];
    for await (const chunk of models.streamSpeech({ input, response_format: "pcm" })) chunks.push(chunk);
    assert.ok(chunks.length >= 3 && chunks[0].fraction < 1, `${chunks.length} chunks`);
    const samples = Buffer.concat(chunks.map(({ bytes }) => bytes));
    assert.deepEqual(new Uint8Array(samples), speech.bytes.subarray(44));
    assert.equal(chunks.at(-1)?.speech?.voice, speech.voice);
  }),
);

test(
  "openModels() finds depth and makes meshes, as files that are read when they are needed",
  leavingNothing(async () => {
    const { facts, files, timing } = await models.vision("geometry", {
      image: new Uint8Array(await (await picture(61, 43)).arrayBuffer()),
      token_count: 12,
    });
    assert.deepEqual([facts.width, facts.height, facts.tokenCount], [61, 43, 12]);
    const { validPixelCount, invalidPixelCount } = facts.depthStatistics as Record<string, number>;
    assert.equal(validPixelCount + invalidPixelCount, 61 * 43);
    assert.ok(Object.values(timing).every((seconds) => seconds >= 0));
    assert.ok(files.some(({ kind }) => kind === "manifest"));
    for (const { kind, sha256, byteCount, bytes } of files) {
      const content = await bytes();
      assert.deepEqual([content.length, createHash("sha256").update(content).digest("hex")], [byteCount, sha256], kind);
    }

    const views = await Promise.all([3, 5].map((seed) => picture(60, 44, seed)));
    const multiview = await models.vision("multiview", { image: views, process_resolution: 42 });
    assert.equal(multiview.facts.viewCount, 2);
    assert.deepEqual(new Set(multiview.files.map(({ viewIndex }) => viewIndex)), new Set([0, 1, undefined]));

    const object = await models.vision("imageTo3d", { image: await cutOut(), resolution: 20 });
    const glb = await object.files.find(({ kind }) => kind === "glb")!.bytes();
    assert.equal(new TextDecoder().decode(glb.subarray(0, 4)), "glTF");

    const cameras = { schemaVersion: 1, cameras: Array(4).fill(Array(16).fill(0.5)) };
    const sides = await Promise.all([1, 2, 3, 4].map((seed) => picture(32, 32, seed)));
    const posed = await models.vision("viewsTo3d", { image: sides, resolution: 16, cameras });
    assert.deepEqual([posed.facts.viewCount, posed.facts.usedOfficialCameraRig], [4, false]);

    const depth = await models.vision("depthVideo", { video: await clip(32, 24, 5), input_size: 28, max_frames: 3 });
    assert.deepEqual([depth.facts.frameCount, depth.facts.semantics], [3, "affine-relative"]);
    assert.equal(depth.files.filter(({ frameIndex }) => frameIndex === 2).length, 2);
  }),
);

test(
  "leaving a loop and a signal cancel what runs, and the next request works",
  leavingNothing(async () => {
    const long = { model: "tiny-image", prompt: "x", size: "256x256", steps: 100, partial_images: 99 };
    for await (const _ of models.streamImage(long)) break;
    const abort = new AbortController();
    const stopped = (async () => {
      for await (const _ of models.streamImage(long, { signal: abort.signal })) abort.abort(new Error("enough"));
    })();
    await assert.rejects(stopped, /enough/);
    const before = { signal: AbortSignal.abort(new Error("before")) };
    await assert.rejects(models.image(long, before), /before/);
    await assert.rejects(models.transcribe({ file: sound("vorbis.ogg") }, before), /before/);
    await assert.rejects(models.vision("geometry", { image: await picture(32, 32) }, before), /before/);
    assert.equal((await models.image({ ...long, size: "16x16", steps: 1, partial_images: 0 })).width, 16);
  }),
);

test(
  "the embedded image model is there without any installed, and files of results go with their models",
  leavingNothing(async () => {
    const { files } = await models.vision("geometry", { image: await picture(32, 32), token_count: 4 });
    const results = onDisk(artifactRoot()).length;
    assert.ok(results > 0);
    await models.close();
    await assert.rejects(files[0].bytes(), { code: "artifact_not_found" });
    assert.equal(onDisk(artifactRoot()).length, results - 1);
    models = await openHere();
    const prompt = "a blue corridor with red doors and warm lamps, bright";
    const { width } = await models.image({ model: "image-corridor-nano", prompt, size: "96x64", seed: 3 });
    assert.equal(width, 96);
  }),
);
