import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { platform } from "node:process";
import { test } from "node:test";
import sharp from "sharp";
import { decodeImage } from "../../../lib/media/images/decode_image.ts";
import { moveTo, ok, PICTURE, refused, SESSION, UPLOAD, withSession, withWorld } from "../../support/with_world.ts";
import { ROLLOUT, transition, type WorldHarness } from "../../support/world_harness.ts";

const SOURCE = `${SESSION}/source`;
const MIB = 1024 * 1024;

/** A picture of 6x4 whose first two columns are red and whose others are blue. */
function picture(): sharp.Sharp {
  const data = Uint8Array.from({ length: 6 * 4 * 3 }, (_, i) => {
    const red = Math.floor(i / 3) % 6 < 2;
    return i % 3 === (red ? 0 : 2) ? 255 : 0;
  });
  return sharp(data, { raw: { width: 6, height: 4, channels: 3 } });
}

/** The same as an uncompressed BMP, which sharp does not write: blue, green, red, from the bottom up, rows of 20 bytes. */
function bmp(width = 6, height = 4): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(54 + 20 * 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  for (let y = 0; y < 4; y++) for (let x = 0; x < 6; x++) bytes[54 + y * 20 + x * 3 + (x < 2 ? 2 : 0)] = 255;
  return bytes;
}

/** A PNG whose header has another size than its content. */
async function pngOf(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await encoded("png");
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  view.setUint32(29, crc32(bytes.subarray(12, 29)));
  return bytes;
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

const encoded = async (format: "png" | "jpeg" | "webp" | "gif" | "avif" | "tiff") =>
  new Uint8Array(await picture().toFormat(format).toBuffer());

/** Reads pictures as the server does. */
function withDecoder(work: (h: WorldHarness) => Promise<void>): Promise<void> {
  return withSession((h) => {
    h.media.decodeImage = decodeImage;
    return work(h);
  });
}

function upload(h: WorldHarness, body: Uint8Array<ArrayBuffer>, type: string): Promise<Response> {
  return h.call("POST", SOURCE, { headers: { "content-type": type }, body });
}

/** What the session shows: the fake's PNG says size and first byte. */
async function shown(h: WorldHarness): Promise<string> {
  return await (await h.call("GET", `${SESSION}/media/frame`)).text();
}

for (const format of ["png", "jpeg", "webp", "gif", "avif", "bmp", "tiff"] as const) {
  // @row world-session > Endpoints > `POST …/session/source` => jpeg
  // @row world-session > Errors > 415, before the body is read => png
  // @row world-session > Rules of the world server > Source uploads: seven formats by content, EXIF => png
  // @row world-session > Rules of the world server > Source uploads: seven formats by content, EXIF => bmp
  test(`POST source takes ${format} by its content, whatever image type it is declared as`, () =>
    withDecoder(async (h) => {
      const bytes = format === "bmp" ? bmp() : await encoded(format);
      for (const type of [`image/${format}`, "image/x-unknown", "IMAGE/PNG; q=1", "application/octet-stream"]) {
        const snapshot = await ok(upload(h, bytes, type));
        assert.equal(snapshot.object, "world.session");
        const [, width, height, red] = (await shown(h)).split(" ").map(Number);
        assert.deepEqual([width, height, red > 128], [6, 4, true]);
      }
      for (const type of ["text/plain", "application/json", "multipart/form-data", "image", "video/mp4"]) {
        await refused(upload(h, bytes, type), 415, "unsupported_content_type");
      }
    }));
}

// @row world-session > Rules of the world server > Source uploads: seven formats by content, EXIF
test("POST source applies the EXIF orientation", () =>
  withDecoder(async (h) => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const bytes = await picture().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
      await ok(upload(h, new Uint8Array(bytes), "image/jpeg"));
      const [, width, height, red] = (await shown(h)).split(" ").map(Number);
      assert.deepEqual([width, height], orientation < 5 ? [6, 4] : [4, 6], `orientation ${orientation}`);
      // The red columns begin at the first pixel unless they are turned to the right or to the bottom.
      assert.equal(red > 128, [1, 4, 5, 6].includes(orientation), `orientation ${orientation}`);
    }
  }));

// @row world-session > Limits > 32 MiB and 40 megapixels of a picture, 1 MiB of JSON
test("POST source refuses anything but a picture, and leaves the session as it was", () =>
  withDecoder(async (h) => {
    await ok(upload(h, await encoded("png"), "image/png"));
    const before = await ok(h.call("GET", SESSION));
    const files = readdirSync(h.folder);
    const png = await encoded("png");
    const bad: [bytes: Uint8Array<ArrayBuffer>, code: string][] = [
      [new Uint8Array(), "empty_body"],
      [new TextEncoder().encode("hello"), "image_unsupported"],
      [new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), "image_unsupported"],
      [new Uint8Array(100), "image_unsupported"],
      [png.slice(0, png.length / 2), "image_damaged"],
      [await pngOf(8000, 5000), "image_damaged"], // 40 megapixels are not too many
      [await pngOf(8000, 5001), "image_too_large"],
      [bmp(40_000_001, 1), "image_too_large"],
    ];
    for (const [bytes, code] of bad) await refused(upload(h, bytes, "image/png"), 400, code);
    assert.deepEqual(await ok(h.call("GET", SESSION)), before);
    assert.deepEqual(readdirSync(h.folder), files);
  }));

// @row world-session > Errors > 413
// @row world-session > Limits > 32 MiB and 40 megapixels of a picture, 1 MiB of JSON
test("POST source takes 32 MiB and refuses a byte more with 413", () =>
  withDecoder(async (h) => {
    const max = new Uint8Array(32 * MIB);
    await refused(upload(h, max, "image/png"), 400, "image_unsupported");
    const message = await refused(upload(h, new Uint8Array(32 * MIB + 1), "image/png"), 413, "body_too_large");
    assert.match(message, /33554432 bytes/);
    const big = { headers: { "content-type": "image/png", "content-length": `${32 * MIB + 1}` }, body: PICTURE };
    await refused(h.call("POST", SOURCE, big), 413, "body_too_large");
  }));

// @row world-session > Errors > 413
// @row world-session > Limits > 32 MiB and 40 megapixels of a picture, 1 MiB of JSON
test("a JSON body takes 1 MiB and refuses a byte more with 413", () =>
  withWorld(async (h) => {
    const spaces = (size: number) => `{"sourceImage":5${" ".repeat(size - 17)}}`;
    const headers = { "content-type": "application/json" };
    await refused(
      h.call("POST", `${SESSION}/reset`, { headers, body: spaces(MIB) }),
      400,
      "wrong_type",
      "source_image",
    );
    await refused(h.call("POST", `${SESSION}/reset`, { headers, body: spaces(MIB + 1) }), 413, "body_too_large");
  }));

// @row world-session > Checkpoints > Cleared by reset, source and unload
// @row world-session > Endpoints > `POST …/session/source`
test("POST source begins a new world at its origin: pose, counters, path and checkpoints are cleared", () =>
  withWorld(async (h) => {
    await moveTo(h, "transitions", transition("forward"));
    await ok(h.call("POST", `${SESSION}/checkpoints`, { json: { name: "a" } }), 201);
    const old = await ok(h.call("GET", SESSION));
    const fresh = await ok(h.call("POST", SOURCE, UPLOAD));
    assert.notEqual(fresh.current_state_id, old.current_state_id);
    assert.deepEqual(fresh.state_ids, [fresh.current_state_id]);
    assert.deepEqual(fresh.current_world_pose.world_to_camera, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    const { transition_count, checkpoint_count, generated_latent_frame_count, scene_memory_frame_count } = fresh;
    const counts = [transition_count, checkpoint_count, generated_latent_frame_count, scene_memory_frame_count];
    assert.deepEqual(counts, [0, 0, 0, 0]);
    assert.equal(fresh.session_id, old.session_id);
    assert.equal(fresh.phase, "ready");
  }));

/** A path that a client names for a picture, and what is answered. */
const images: [what: string, path: (h: WorldHarness) => string, status: number, code: string][] = [
  ["a file that is missing", ({ folder }) => join(folder, "missing.png"), 400, "image_not_found"],
  ["a folder", ({ folder }) => join(folder, "folder"), 400, "image_not_found"],
  ["a pipe that nobody writes into", ({ folder }) => join(folder, "pipe"), 400, "image_not_found"],
  ["a file in a missing folder", ({ folder }) => join(folder, "no", "a.png"), 400, "image_not_found"],
  ["a file that is not a picture", ({ folder }) => join(folder, "text.png"), 400, "image_unsupported"],
  ["a file of more than 32 MiB", ({ folder }) => join(folder, "huge.png"), 400, "image_too_large"],
  ["a file outside", ({ outside }) => join(outside, "a.png"), 403, "path_not_allowed"],
  ["a missing file outside", ({ outside }) => join(outside, "none.png"), 403, "path_not_allowed"],
  ["a way out by dots", ({ folder }) => `${folder}/../outside/a.png`, 403, "path_not_allowed"],
  ["a link out", ({ folder }) => join(folder, "link.png"), 403, "path_not_allowed"],
  ["a folder that is a link out", ({ folder }) => join(folder, "link", "a.png"), 403, "path_not_allowed"],
  ["a relative path out", () => "../../../../../../../../etc/hostname", 403, "path_not_allowed"],
];

for (const [what, path, status, code] of images) {
  // @row world-session > Transition > `source_image`
  // @row world-session > Rollout > `source_image`
  // @row world-session > Reset and checkpoint requests > `source_image` of a reset
  // @row world-session > Errors > 403 host, origin, path
  // @row world-session > Rules of every route > Files named by clients: reading
  test(`a source image by path is refused when it is ${what}, and nothing changes`, () =>
    withWorld(async (h) => {
      layOut(h);
      const before = await ok(h.call("GET", SESSION));
      for (
        const [route, body] of [["transitions", transition("forward")], ["rollouts", ROLLOUT], ["reset", {}]] as const
      ) {
        for (const name of ["source_image", "sourceImage"]) {
          const json = { ...body, [name]: path(h) };
          await refused(h.call("POST", `${SESSION}/${route}`, { json }), status, code, codeParam(code));
        }
      }
      assert.deepEqual(await ok(h.call("GET", SESSION)), before);
    }));
}

/** The errors of a file name the field; those of its content and of the policy are the same for uploads. */
function codeParam(code: string): string | undefined {
  return code === "image_not_found" || code === "image_too_large" ? "source_image" : undefined;
}

function layOut({ folder, outside }: WorldHarness): void {
  writeFileSync(join(outside, "a.png"), PICTURE);
  writeFileSync(join(folder, "a.png"), PICTURE);
  writeFileSync(join(folder, "text.png"), "hello");
  writeFileSync(join(folder, "huge.png"), "");
  truncateSync(join(folder, "huge.png"), 32 * MIB + 1);
  mkdirSync(join(folder, "folder"));
  if (platform !== "win32") execFileSync("mkfifo", [join(folder, "pipe")]);
  symlinkSync(outside, join(folder, "link"));
  symlinkSync(join(outside, "a.png"), join(folder, "link.png"));
  symlinkSync(join(folder, "a.png"), join(folder, "inner.png"));
}

// @row world-session > Transition > `source_image`
test("a source image by path begins a new world; a link that stays inside is followed", () =>
  withWorld(async (h) => {
    layOut(h);
    for (const name of ["a.png", "inner.png"]) {
      const { receipt } = await moveTo(h, "transitions", {
        ...transition("forward"),
        sourceImage: join(h.folder, name),
      });
      const { state_ids: ids } = await ok(h.call("GET", SESSION));
      assert.deepEqual(ids, [receipt!.previous_state_id, receipt!.state_id]);
      const reset = await ok(h.call("POST", `${SESSION}/reset`, { json: { source_image: join(h.folder, name) } }));
      assert.deepEqual([reset.state_ids.length, reset.transition_count], [1, 0]);
    }
  }));

/** A path that a client names for the video, and what is answered. */
const outputs: [what: string, path: (h: WorldHarness) => string, status: number, code: string][] = [
  ["a file that is there", ({ folder }) => join(folder, "a.png"), 409, "output_exists"],
  ["a folder", ({ folder }) => join(folder, "folder"), 409, "output_exists"],
  ["a link to a file that is there", ({ folder }) => join(folder, "inner.png"), 409, "output_exists"],
  ["outside", ({ outside }) => join(outside, "x.mp4"), 403, "path_not_allowed"],
  ["outside by dots", ({ folder }) => `${folder}/../outside/x.mp4`, 403, "path_not_allowed"],
  ["outside by a link", ({ folder }) => join(folder, "link", "x.mp4"), 403, "path_not_allowed"],
  ["in a missing folder", ({ folder }) => join(folder, "no", "x.mp4"), 400, "output_folder_missing"],
  ["of a name too long for a file", ({ folder }) => join(folder, "x".repeat(300)), 400, "invalid_output"],
];

for (const [what, path, status, code] of outputs) {
  // @row world-session > Transition > `output`
  // @row world-session > Errors > 409 `output_exists`, 400 `output_folder_missing`
  // @row world-session > Rules of every route > Files named by clients: writing
  test(`an output path is refused before the job when it is ${what}`, () =>
    withWorld(async (h) => {
      layOut(h);
      const files = readdirSync(h.folder, { recursive: true });
      for (const [route, body] of [["transitions", transition("forward")], ["rollouts", ROLLOUT]] as const) {
        const param = status === 403 ? undefined : "output";
        const json = { ...body, output: path(h) };
        await refused(h.call("POST", `${SESSION}/${route}`, { json }), status, code, param);
      }
      assert.deepEqual(readdirSync(h.folder, { recursive: true }), files);
    }));
}

test("POST source refuses an upload to a busy session before anything of it is read", () =>
  withWorld(async (h) => {
    h.model.gate = new Promise(() => {});
    const job = await h.rollout();
    let parts = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        parts++;
        controller.enqueue(new Uint8Array(1));
      },
    }, { highWaterMark: 0 });
    const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
    const request = new Request(`http://localhost:8791${SOURCE}`, {
      ...init,
      headers: { "content-type": "image/png" },
    });
    await refused(h.app(request, "127.0.0.1"), 409, "session_busy");
    assert.equal(parts, 0);
    await h.call("DELETE", `/v1/world/jobs/${job.jobId}`);
    await h.ended(job);
  }));
