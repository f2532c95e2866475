import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { BackendName, WorldSnapshot } from "../../../lib/world/protocol/wire.ts";
import type { TransitionReceipt } from "../../../lib/world/protocol/job_record.ts";
import { moveTo, ok, PICTURE, refused, SESSION, UPLOAD, withWorld } from "../../support/with_world.ts";
import type { WorldHarness } from "../../support/world_harness.ts";
import type { Wire } from "../../../lib/json/wire_form.ts";

type Numbers = readonly [number, number, number];

const OUT = { motion: "custom", translation_meters: [0.25, 0, -0.5], rotation_degrees: [4, -8, 0] } as const;
const SIZE = { width: 64, height: 32, num_frames: 9, fps: 12 };

const negated = (numbers: readonly number[]): number[] => numbers.map((n) => 0 - n);

/** The inverse of {@link OUT}. */
const BACK = {
  motion: "custom",
  translation_meters: negated(OUT.translation_meters),
  rotation_degrees: negated(OUT.rotation_degrees),
};

async function move(
  h: WorldHarness,
  camera: unknown,
  body: Record<string, unknown> = {},
): Promise<Wire<TransitionReceipt>> {
  const { receipt, error } = await moveTo(h, "transitions", { prompt: "a corridor", camera, ...body });
  assert.ok(receipt, error?.message);
  return receipt;
}

/** What a return restores. Move counts and file names keep increasing. */
async function place(h: WorldHarness): Promise<Partial<Wire<WorldSnapshot>>> {
  const { transition_count: _, ...snapshot } = await ok(h.call("GET", SESSION));
  return snapshot;
}

const pairs: [motion: string, back: string, meters: Numbers, degrees: Numbers][] = [
  ["forward", "backward", [0, 0, 1], [0, 0, 0]],
  ["backward", "forward", [0, 0, -1], [0, 0, 0]],
  ["strafeLeft", "strafeRight", [-1, 0, 0], [0, 0, 0]],
  ["strafeRight", "strafeLeft", [1, 0, 0], [0, 0, 0]],
  ["yawLeft", "yawRight", [0, 0, 0], [0, -15, 0]],
  ["yawRight", "yawLeft", [0, 0, 0], [0, 15, 0]],
  ["custom", "custom", [1, 0, -2], [3, -4, 0]],
];

for (const backend of ["arworld", "actionworld"] as const satisfies readonly BackendName[]) {
  for (const [motion, back, meters, degrees] of pairs) {
    // @row world-session > States > The exact inverse replays the last edge => arworld · forward · backward
    // @row world-session > States > The exact inverse replays the last edge => actionworld · forward · backward
    test(`an ${backend} replays ${motion} for ${back}, and for no other motion`, () =>
      withWorld(async (h) => {
        const { model, clips } = h;
        await move(h, { motion: "hold", translation_meters: [0, 0, 0], rotation_degrees: [0, 0, 0] }, SIZE);
        const before = await place(h);
        const chain = [model.chain, clips.picture];
        const out = await move(h, { motion, translation_meters: meters, rotation_degrees: degrees }, SIZE);
        const camera = {
          motion: back,
          translation_meters: negated(meters),
          rotation_degrees: negated(degrees),
        };
        const made = model.requests.length + clips.requests.length;
        const receipt = await move(h, camera);
        assert.deepEqual([receipt.replayed, model.requests.length + clips.requests.length], [true, made]);
        assert.match(receipt.conditioning_mode, /_cached_inverse$/);
        assert.deepEqual([receipt.previous_state_id, receipt.state_id], [out.state_id, before.current_state_id]);
        assert.deepEqual(await place(h), before);
        assert.deepEqual([model.chain, clips.picture], chain);
        for (const other of ["hold", motion === "custom" ? "forward" : motion]) {
          await move(h, { motion, translation_meters: meters, rotation_degrees: degrees }, SIZE);
          const wrong = await move(h, { ...camera, motion: other });
          assert.equal(wrong.replayed, false, other);
        }
      }, { backend }));
  }
}

/** A component of the inverse that is off by this much; the tolerance is 1e-4. */
for (const part of ["translation_meters", "rotation_degrees"] as const) {
  for (const axis of [0, 1, 2]) {
    // @row world-session > States > Conditions of an inverse move, each negated
    test(`an inverse move needs component ${axis} of ${part} cancelled within 1e-4`, () =>
      withWorld(async (h) => {
        for (const [off, replayed] of [[0.9e-4, true], [-0.9e-4, true], [2e-4, false], [-2e-4, false]] as const) {
          const out = { motion: "forward", translation_meters: [0, 0.5, 1], rotation_degrees: [1, 2, 3] };
          const back = { motion: "backward", translation_meters: [0, -0.5, -1], rotation_degrees: [-1, -2, -3] };
          back[part][axis] += off;
          await move(h, out, SIZE);
          assert.equal((await move(h, back)).replayed, replayed, `${off}`);
        }
      }));
  }
}

const kept: [what: string, body: Record<string, unknown>][] = [
  ["nothing but prompt and camera", {}],
  ["the same size, rate and length", SIZE],
  ["another prompt", { prompt: "a forest" }],
  ["another seed", { seed: 7 }],
  ["other diffusion settings", { steps: 3, guidance_scale: 2, shift: 1 }],
];
for (const [what, body] of kept) {
  // @row world-session > States > Conditions of an inverse move, each negated
  test(`an inverse move is replayed when the request has ${what}`, () =>
    withWorld(async (h) => {
      await move(h, OUT, { ...SIZE, seed: 3 });
      assert.equal((await move(h, BACK, body)).replayed, true);
    }));
}

const lost: [what: string, body: Record<string, unknown>, backend: BackendName][] = [
  ["another rate", { fps: 13 }, "arworld"],
  ["another length", { num_frames: 10 }, "arworld"],
  ["a source image", { source_image: "SOURCE" }, "arworld"],
  ["another rate", { fps: 13 }, "actionworld"],
  ["another length", { num_frames: 13 }, "actionworld"],
  ["a source image", { source_image: "SOURCE" }, "actionworld"],
  ["actions of its own", { model_space_actions: [[0, 0, 0, 1, 0, 0, 0, 1, 0]] }, "actionworld"],
];
for (const [what, body, backend] of lost) {
  // @row world-session > States > Conditions of an inverse move, each negated => arworld
  // @row world-session > States > Conditions of an inverse move, each negated => actionworld
  test(`an ${backend} generates instead of replaying when the request has ${what}`, () =>
    withWorld(async (h) => {
      writeFileSync(join(h.folder, "a.png"), PICTURE);
      await move(h, OUT, SIZE);
      const given = "source_image" in body ? { source_image: join(h.folder, "a.png") } : body;
      assert.equal((await move(h, BACK, given)).replayed, false);
    }, { backend }));
}

// @row world-session > States > Conditions of an inverse move, each negated
// @row world-session > Errors > 409 `geometry_changed`
test("another size in an inverse move is 409, as everywhere in a continued world", () =>
  withWorld(async (h) => {
    await move(h, OUT, SIZE);
    for (const [name, size] of [["width", 96], ["height", 64]] as const) {
      const json = { prompt: "p", camera: BACK, [name]: size };
      await refused(h.call("POST", `${SESSION}/transitions`, { json }), 409, "geometry_changed", name);
    }
  }));

test("a length that was left out on the way out must be left out or equal to the default in an inverse move", () =>
  withWorld(async (h) => {
    for (const [frames, replayed] of [[undefined, true], [17, true], [9, false]] as const) {
      await ok(h.call("POST", `${SESSION}/source`, UPLOAD));
      await move(h, OUT, { ...SIZE, num_frames: undefined });
      assert.equal((await move(h, BACK, { num_frames: frames })).replayed, replayed, `${frames}`);
    }
  }));

// @row world-session > Receipts > The receipt of a replay
test("a replay is an ordinary job: 202, chunks with the frames reversed, files under a new number, counted", () =>
  withWorld(async (h) => {
    const out = await move(h, OUT, { ...SIZE, num_frames: 21 });
    const receipt = await move(h, BACK, { output: join(h.folder, "back.mp4") });
    assert.deepEqual(receipt.chunks.map((chunk) => chunk.pixel_frame_range), [[0, 12], [12, 21]]);
    assert.deepEqual(receipt.chunks.map((chunk) => chunk.block_count), [2, 2]);
    assert.equal(receipt.pixel_frame_count, out.pixel_frame_count);
    assert.equal(receipt.output_path, join(h.folder, "back.mp4"));
    assert.match(receipt.terminal_frame_path, /state-0003\.png$/);
    assert.deepEqual(readFileSync(receipt.terminal_frame_path, "utf8"), "image 64 32 7");
    assert.deepEqual([receipt.transition_index, receipt.fps, receipt.seed], [2, 12, 42]);
    assert.deepEqual(receipt.camera, BACK);
    assert.equal(receipt.effective, undefined);
    for (const chunk of receipt.chunks) assert.equal((await h.call("GET", chunk.media_path)).status, 200);
    assert.match(await (await h.call("GET", receipt.output_media_path)).text(), /^video 12 chunk 0 12/);
  }));

// @row world-session > Rules of the world server > A replayed edge is removed
test("a replayed edge is removed: the same move again generates the same pictures", () =>
  withWorld(async (h) => {
    const hold = { motion: "hold", translation_meters: [0, 0, 0], rotation_degrees: [0, 0, 0] };
    await move(h, hold, SIZE);
    await move(h, OUT, SIZE);
    const chain = h.model.chain;
    assert.equal((await move(h, BACK)).replayed, true);
    assert.equal((await move(h, OUT, SIZE)).replayed, false);
    assert.deepEqual(h.model.chain, chain);
    assert.equal((await move(h, BACK)).replayed, true);
    assert.equal((await move(h, hold)).replayed, false);
    assert.equal((await move(h, BACK)).replayed, false);
  }));
