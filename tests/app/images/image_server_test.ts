import assert from "node:assert/strict";
import { unpackText } from "../../../lib/http/packed_text.ts";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { decodeImage } from "../../../lib/media/images/decode_image.ts";
import { encodePng } from "../../../lib/media/images/png.ts";
import type { RgbImage } from "../../../lib/media/images/rgb_image.ts";
import { DescribedApi } from "../../support/described_api.ts";
import { packedApiOpenApi } from "../../../lib/api/http/api_openapi.generated.ts";
import { type ApiProcess, openApiProcess } from "../../support/api_process.ts";

const described = new DescribedApi(await unpackText(packedApiOpenApi));
const GENERATIONS = "/v1/images/generations";
const EDITS = "/v1/images/edits";

let server: ApiProcess;
let records: string;

before(async () => {
  records = mkdtempSync(join(tmpdir(), "svc-test-records-"));
  server = await openApiProcess({
    models: ["tiny-image", "tiny-image-base", "tiny-z-image"],
    args: ["--memory-guard=off", "--device=cpu", `--image-run-records=${records}`, "--model=tiny-image"],
  });
});

after(async () => {
  await server.close();
  rmSync(records, { recursive: true, force: true });
});

/** An image of one colour, or another one on its left half. */
function picture(width: number, height: number, colour = [200, 40, 40]): RgbImage {
  return { width, height, data: Uint8Array.from({ length: 3 * width * height }, (_, i) => colour[i % 3]) };
}

async function png(image: RgbImage, type = "image/png"): Promise<Blob> {
  return new Blob([await encodePng(image)], { type });
}

async function edit(fields: Record<string, string | Blob | readonly Blob[]>, signal?: AbortSignal): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.append(name, value);
    else for (const blob of value instanceof Blob ? [value] : value) form.append(name, blob, "picture.png");
  }
  return await fetch(server.url + EDITS, { method: "POST", body: form, ...signal && { signal } });
}

async function imageOf(response: Response): Promise<{ readonly bytes: Buffer; readonly seed: string }> {
  assert.equal(response.status, 200, response.ok ? "" : await response.clone().text());
  const { data, seed } = await response.json();
  return { bytes: Buffer.from(data[0].b64_json, "base64"), seed };
}

/** The `iTXt` texts of a PNG. */
function texts(bytes: Uint8Array): Record<string, string> {
  const found: Record<string, string> = {};
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    if (new TextDecoder().decode(bytes.subarray(at + 4, at + 8)) !== "iTXt") continue;
    const content = bytes.subarray(at + 8, at + 8 + view.getUint32(at));
    const end = content.indexOf(0);
    found[new TextDecoder().decode(content.subarray(0, end))] = new TextDecoder().decode(content.subarray(end + 5));
  }
  return found;
}

/** Data of the events of a stream. */
async function events(response: Response) {
  assert.match(response.headers.get("content-type")!, /^text\/event-stream/);
  const frames = (await response.text()).split("\n\n").filter((frame) => frame.startsWith("event: "));
  return frames.map((frame) => {
    const [, name, data] = /^event: (.*)\ndata: (.*)$/s.exec(frame)!;
    const value = JSON.parse(data);
    assert.equal(value.type, name);
    return value;
  });
}

const refused = async (response: Response): Promise<[number, string, string | undefined]> => {
  const { error } = await response.json();
  assert.match(error.message, /^Cannot /);
  return [response.status, error.code, error.param];
};

// @row model-api > Endpoints > POST `/v1/images/generations`
// @row model-api > Image request > Generation: every field
// @row model-api > Image request > `seed`, `negative_prompt`, `steps`, `guidance_scale`
test("an image repeats byte for byte with its seed, and says what it was made from", async () => {
  const ask = { model: "tiny-image", prompt: "a red hall, é", size: "64x48", seed: 7 };
  const first = await server.post(GENERATIONS, ask);
  await described.assertDescribed("POST", GENERATIONS, first.clone());
  const { bytes, seed } = await imageOf(first);
  assert.equal(seed, "7");
  const { width, height } = await decodeImage(bytes);
  assert.deepEqual([width, height], [64, 48]);
  assert.deepEqual(texts(bytes), { prompt: "a red hall, é", seed: "7", model: "tiny-image" });
  assert.deepEqual((await imageOf(await server.post(GENERATIONS, ask))).bytes, bytes);
  const other = await imageOf(await server.post(GENERATIONS, { ...ask, seed: "18446744073709551615" }));
  assert.notDeepEqual(other.bytes, bytes);
  const drawn = await imageOf(await server.post(GENERATIONS, { prompt: "a red hall", size: "16x16" }));
  assert.match(drawn.seed, /^\d{1,20}$/);
});

// @row model-api > Image request > Third-party names and the default model
test("names of other interfaces stand for the default model, fields without effect are named", async () => {
  for (const model of ["gpt-image-1", "dall-e-3", "DALL-E-2"]) {
    const response = await server.post(GENERATIONS, { model, prompt: "x", size: "16x16", quality: "hd", user: "me" });
    assert.equal(response.status, 200);
    assert.match(response.headers.get("x-svc-warning")!, /"quality"/);
    assert.equal(texts((await imageOf(response)).bytes).model, "tiny-image");
  }
});

// @row model-api > Image request > `response_format` `url`: a local file
test("a URL names a file that only this user can read", async () => {
  const response = await server.post(GENERATIONS, { prompt: "x", size: "32x16", response_format: "url" });
  const { data: [{ url, revised_prompt }] } = await response.json();
  assert.equal(revised_prompt, "x");
  const path = fileURLToPath(url);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal((await decodeImage(readFileSync(path))).width, 32);
});

// @row model-api > Image request > `stream` and `partial_images`
test("a stream has a preview a step and ends with the image", async () => {
  const ask = { prompt: "x", size: "32x32", seed: 1, steps: 4 };
  const stream = await server.post(GENERATIONS, { ...ask, stream: true, partial_images: 3 });
  const received = await events(stream);
  assert.deepEqual(received.map(({ type }) => type), [
    ...new Array(3).fill("image_generation.partial_image"),
    "image_generation.completed",
  ]);
  assert.deepEqual(received.map(({ partial_image_index }) => partial_image_index), [0, 1, 2, undefined]);
  const whole = await imageOf(await server.post(GENERATIONS, ask));
  assert.equal(received[3].b64_json, whole.bytes.toString("base64"));
  for (const { b64_json } of received) assert.equal((await decodeImage(Buffer.from(b64_json, "base64"))).width, 32);
});

test("wrong fields are refused by name, in the order of the contract", async () => {
  const cases: readonly (readonly [Record<string, unknown>, string, string | undefined])[] = [
    [{}, "missing_field", "prompt"],
    [{ prompt: " " }, "invalid_prompt", "prompt"],
    [{ prompt: 1 }, "wrong_type", "prompt"],
    [{ prompt: "x", size: "" }, "invalid_size", "size"],
    [{ prompt: "x", size: " " }, "invalid_size", "size"],
    [{ prompt: "x", size: "64" }, "invalid_size", "size"],
    [{ prompt: "x", size: "4112x16" }, "invalid_size", "size"],
    [{ prompt: "x", size: "4096x4096" }, "invalid_size", "size"],
    [{ prompt: "x", size: "99999999999999999999x16" }, "invalid_size", "size"],
    [{ prompt: "x", size: "0x16" }, "invalid_size", "size"],
    [{ prompt: "x", size: "40x64" }, "invalid_size", "size"],
    [{ prompt: "x", n: 2 }, "invalid_n", "n"],
    [{ prompt: "x", steps: 101 }, "invalid_steps", "steps"],
    [{ prompt: "x", guidance_scale: -1 }, "invalid_guidance_scale", "guidance_scale"],
    [{ prompt: "x", guidance_scale: 2 }, "unsupported_parameter", "guidance_scale"],
    [{ prompt: "x", negative_prompt: "y" }, "unsupported_parameter", "negative_prompt"],
    [{ prompt: "x", strength: 0.5 }, "unsupported_parameter", "strength"],
    [{ prompt: "x", seed: 2 ** 54 }, "invalid_seed", "seed"],
    [{ prompt: "x", seed: "18446744073709551616" }, "invalid_seed", "seed"],
    [{ prompt: "x", response_format: "png" }, "invalid_response_format", "response_format"],
    [{ prompt: "x", stream: true, response_format: "url" }, "invalid_response_format", "response_format"],
    [{ prompt: "x", background: "transparent" }, "unsupported_parameter", "background"],
    [{ prompt: "x", cfg_scale: 4 }, "unsupported_parameter", "cfg_scale"],
    [{ prompt: "word ".repeat(600) }, "context_length_exceeded", "prompt"],
    [{ prompt: "word ".repeat(7_000) }, "context_length_exceeded", "prompt"],
    [
      { model: "tiny-image-base", prompt: "x", guidance_scale: 3, negative_prompt: "n".repeat(600) },
      "context_length_exceeded",
      "negative_prompt",
    ],
    [
      { model: "tiny-image-base", prompt: "x", guidance_scale: 3, negative_prompt: "n".repeat(40_000) },
      "context_length_exceeded",
      "negative_prompt",
    ],
  ];
  for (const [body, code, param] of cases) {
    const response = await server.post(GENERATIONS, body);
    await described.assertDescribed("POST", GENERATIONS, response.clone());
    assert.deepEqual(await refused(response), [400, code, param], JSON.stringify(body).slice(0, 80));
  }
  const unknown = await server.post(GENERATIONS, { prompt: "x", model: "gpt-4o" });
  assert.deepEqual(await refused(unknown), [404, "model_not_found", "model"]);
});

// @row model-api > Rules of the model API > Too long a prompt: 400 `context_length_exceeded`, never truncated
test("a prompt that is too long is refused with its tokens and those of the model, however long it is", async () => {
  const long = (length: number) => "a".repeat(length);
  const message = async (response: Response) => {
    assert.deepEqual([response.status, (await response.clone().json()).error.param], [400, "prompt"]);
    return (await response.json()).error.message;
  };
  const made = async (prompt: string) => message(await server.post(GENERATIONS, { prompt, size: "32x32" }));
  // The tiny tokenizer has a token for each byte.
  assert.match(await made(long(600)), /the prompt has 6\d\d tokens, the model takes 512/);
  assert.match(await made(long(32_768)), /the prompt has 32[78]\d\d tokens, the model takes 512/);
  assert.match(await made(long(32_769)), /the prompt has at least 513 tokens, the model takes 512/);
  const began = performance.now();
  assert.match(await made(long(10_000_000)), /the prompt has at least 156250 tokens, the model takes 512/);
  assert.ok(performance.now() - began < 3_000, "a prompt of 10 MB is not tokenized");
  const edited = await edit({ prompt: long(40_000), image: await png(picture(64, 64)) });
  assert.match(await message(edited), /the prompt has at least 625 tokens, the model takes 512/);
});

// @row model-api > Image request > `size`: format, sides, area, multiples of 16
test("the size is checked as format, sides, area, multiples of 16", async () => {
  const message = async (size: string) =>
    (await (await server.post(GENERATIONS, { prompt: "x", size })).json()).error.message;
  assert.match(await message("5000x5001"), /at most 4096 pixels/);
  assert.match(await message("4095x4095"), /at most 4194304 pixels/);
  assert.match(await message("4095x15"), /multiples of 16/);
});

// @row model-api > Image request > `seed`, `negative_prompt`, `steps`, `guidance_scale`
test("a model with a second pass takes a negative prompt", async () => {
  const ask = { model: "tiny-image-base", prompt: "x", size: "32x32", seed: 3, steps: 2, guidance_scale: 3 };
  const plain = await imageOf(await server.post(GENERATIONS, ask));
  const other = await imageOf(await server.post(GENERATIONS, { ...ask, negative_prompt: "fog" }));
  assert.notDeepEqual(other.bytes, plain.bytes);
  assert.equal(texts(other.bytes).negative_prompt, "fog");
});

// @row model-api > Endpoints > POST `/v1/images/edits`
// @row model-api > Image request > Edit: `image`, `image[]`, `mask`, `strength`
// @row model-api > Service > Rule 5: masks are accepted, edits stay whole-image
test("an edit takes an input, references, a mask and a strength", async () => {
  const [red, blue] = [await png(picture(96, 64)), await png(picture(64, 64, [30, 60, 200]))];
  const fields = { prompt: "make it blue", size: "64x64", seed: "5", model: "qwen-image-edit" };
  const one = await edit({ ...fields, image: red });
  await described.assertDescribed("POST", EDITS, one.clone());
  const { bytes } = await imageOf(one);
  const two = await imageOf(await edit({ ...fields, "image[]": [red, blue] }));
  assert.notDeepEqual(two.bytes, bytes, "the second picture has no effect");
  const swapped = await imageOf(await edit({ ...fields, "image[]": [blue, red] }));
  assert.notDeepEqual(swapped.bytes, two.bytes, "the order of the pictures has no effect");
  const mixed = await imageOf(await edit({ ...fields, "image[]": blue, image: red }));
  assert.deepEqual(mixed.bytes, two.bytes, "image does not come before image[]");

  const masked = await edit({ ...fields, image: red, mask: blue });
  assert.match(masked.headers.get("x-svc-warning")!, /mask/);
  assert.deepEqual((await imageOf(masked)).bytes, bytes, "a mask changes the whole image's edit");

  const kept = await decodeImage((await imageOf(await edit({ ...fields, image: red, strength: "0" }))).bytes);
  const changed = await decodeImage((await imageOf(await edit({ ...fields, image: red, strength: "1" }))).bytes);
  assert.notDeepEqual(kept.data, changed.data);
});

test("Z-Image makes images, begins with a given one, and refuses references by name", async () => {
  const fields = { model: "tiny-z-image", prompt: "a red hall", size: "48x32", seed: "5", steps: "2" };
  const made = await imageOf(await server.post(GENERATIONS, { ...fields, steps: 2 }));
  assert.deepEqual((await imageOf(await server.post(GENERATIONS, { ...fields, steps: 2 }))).bytes, made.bytes);
  const image = await png(picture(20, 33));
  const begun = await imageOf(await edit({ ...fields, image, strength: "0.5" }));
  assert.notDeepEqual(begun.bytes, made.bytes);
  const response = await edit({ ...fields, image: await png(picture(64, 64)) });
  assert.deepEqual(await refused(response), [400, "unsupported_parameter", "image"]);
});

test("an edit streams under names of its own", async () => {
  const image = await png(picture(64, 64));
  const received = await events(await edit({ prompt: "x", size: "32x32", image, stream: "true", partial_images: "1" }));
  assert.deepEqual(received.map(({ type }) => type), ["image_edit.partial_image", "image_edit.completed"]);
});

// @row model-api > Image request > Bad pictures: 400, the next request works
test("invalid images, too many, too small ones and bombs are refused, and the next request works", async () => {
  const good = await png(picture(64, 64));
  const fields = { prompt: "x", size: "32x32" };
  const bomb = Buffer.alloc(64); // the header of a BMP of 64 megapixels
  bomb.write("BM");
  bomb.writeUInt32LE(54, 10);
  bomb.writeUInt32LE(40, 14);
  bomb.writeInt32LE(8000, 18);
  bomb.writeInt32LE(8000, 22);
  bomb.writeUInt16LE(1, 26);
  bomb.writeUInt16LE(24, 28);
  const cut = new Blob([(await encodePng(picture(256, 256, [1, 2, 3]))).slice(0, 120)], { type: "image/png" });
  const cases: readonly (readonly [Record<string, string | Blob | readonly Blob[]>, string, string])[] = [
    [fields, "missing_field", "image"],
    [{ ...fields, image: new Blob(["no picture"], { type: "image/png" }) }, "image_unsupported", "image"],
    [{ ...fields, image: new Blob([bomb], { type: "image/bmp" }) }, "image_too_large", "image"],
    [{ ...fields, image: cut }, "image_damaged", "image"],
    [{ ...fields, image: await png(picture(16, 16)) }, "invalid_image", "image"],
    [{ ...fields, image: await png(picture(1024, 64)) }, "invalid_image", "image"],
    [{ ...fields, image: good, mask: new Blob(["x"], { type: "image/png" }) }, "image_unsupported", "mask"],
    [{ ...fields, "image[]": new Array(9).fill(good) }, "invalid_image", "image[]"],
    [{ ...fields, image: good, strength: "1.5" }, "invalid_strength", "strength"],
    [{ ...fields, image: good, steps: "two" }, "wrong_type", "steps"],
    [{ image: good }, "missing_field", "prompt"],
    [{ ...fields, image: good, colour: "red" }, "unknown_field", "colour"],
  ];
  for (const [form, code, param] of cases) {
    assert.deepEqual(await refused(await edit(form)), [400, code, param], `${code} ${param}`);
  }
  await imageOf(await edit({ ...fields, image: good }));
});

// @row model-api > Image request > A client that disconnects frees the model
test("a client that disconnects frees the model at the next step", async () => {
  const left = new AbortController();
  const body = { prompt: "x", size: "256x256", steps: 100, stream: true, partial_images: 99 };
  const response = await server.post(GENERATIONS, body, left.signal);
  await response.body!.getReader().read();
  left.abort();
  const began = performance.now();
  await imageOf(await server.post(GENERATIONS, { prompt: "x", size: "16x16" }));
  assert.ok(performance.now() - began < 20_000, "the next request waited for the whole image");
});

test("operations are recorded with inputs and output, refused requests are not", async () => {
  const folders = () => readdirSync(records);
  const before = folders().length;
  await server.post(GENERATIONS, { prompt: "" });
  assert.equal(folders().length, before);
  const seen = new Set(folders());
  await imageOf(await edit({ prompt: "x", size: "32x32", image: await png(picture(64, 64)) }));
  const [added] = folders().filter((name) => !seen.has(name));
  assert.deepEqual(readdirSync(join(records, added)).sort(), ["image-run.json", "inputs", "output.png"]);
  const record = JSON.parse(readFileSync(join(records, added, "image-run.json"), "utf8"));
  assert.deepEqual([record.requested.prompt, record.requested.seed], ["x", null]);
  assert.match(record.effective.seed, /^\d+$/);
  assert.equal(record.inputs.length, 1);
});
