import assert from "node:assert/strict";
import { test } from "node:test";
import { WorldClient } from "../../../lib/world/client/world_client.ts";
import type { CameraMotion } from "../../../lib/world/protocol/job_record.ts";
import type { TransitionRequestBody } from "../../../lib/world/protocol/requests/request_bodies.ts";
import { text } from "../../support/fake_media.ts";
import { type HarnessOptions, type WorldHarness, worldHarness } from "../../support/world_harness.ts";

const SOURCE = text("image 64 32 7");
const PLACE = new Uint8Array([1, 2, 3]);
const decoder = new TextDecoder();

async function withClient(
  work: (client: WorldClient, h: WorldHarness) => Promise<void>,
  options: HarnessOptions = {},
): Promise<void> {
  const h = await worldHarness(options);
  const client = new WorldClient("http://localhost:8791", {
    apiKey: "key",
    fetch: (request) => h.app(request, "127.0.0.1"),
    wait: () => new Promise((resolve) => setImmediate(resolve)),
  });
  try {
    await work(client, h);
  } finally {
    h.stop();
    await h.close();
  }
}

function yaw(motion: CameraMotion, degrees: number): TransitionRequestBody {
  const camera = { motion, translationMeters: [0, 0, 0], rotationDegrees: [0, degrees, 0] } as const;
  return { prompt: "a corridor", camera, numFrames: 9, width: 64, height: 32 };
}

test("WorldClient walks transitions, and undoes them without generating", () =>
  withClient(async (client, h) => {
    await client.uploadSource(SOURCE);
    const turned = await client.awaitJob((await client.startTransition(yaw("yawLeft", -15))).jobId);
    assert.equal(turned.receipt?.replayed, false);
    assert.match(decoder.decode(await client.output(turned.jobId)), /^video/);
    assert.match(decoder.decode(await client.terminalFrame(turned.jobId)), /^image/);
    const generated = h.model.requests.length;
    const back = await client.startTransition(yaw("yawRight", 15));
    const files: string[] = [];
    for await (const { bytes } of client.chunks(back.jobId)) files.push(decoder.decode(bytes));
    assert.ok(files.length > 0);
    assert.equal((await client.job(back.jobId)).receipt?.replayed, true);
    assert.equal(h.model.requests.length, generated);
  }, { apiKey: "key" }));

test("WorldClient keeps checkpoints: creates, lists, shows, restores and deletes them", () =>
  withClient(async (client) => {
    await assert.rejects(client.checkpoints(), { status: 409, code: "session_cold" });
    await client.prepare();
    await assert.rejects(client.createCheckpoint("x"), { status: 409, code: "no_current_state" });
    await client.uploadSource(SOURCE);
    const lock = await client.createCheckpoint("the corner");
    assert.equal(lock.name, "the corner");
    await client.awaitJob((await client.startTransition(yaw("yawLeft", -15))).jobId);
    assert.deepEqual((await client.checkpoints()).map((one) => one.checkpointId), [lock.checkpointId]);
    assert.deepEqual(await client.checkpointFrame(lock.checkpointId), await client.media(lock.frameMediaPath));
    const restored = await client.restoreCheckpoint(lock.checkpointId);
    assert.equal(restored.currentStateId, lock.stateId);
    assert.equal((await client.deleteCheckpoint(lock.checkpointId)).checkpointId, lock.checkpointId);
    await assert.rejects(client.restoreCheckpoint(lock.checkpointId), { status: 404, code: "checkpoint_not_found" });
    await assert.rejects(client.deleteCheckpoint("../x"), { status: 400, code: "invalid_checkpoint_id" });
    await assert.rejects(client.createCheckpoint(""), { status: 400, code: "invalid_name", param: "name" });
  }, { apiKey: "key" }));

test("WorldClient.currentFrame() gives the source, then what the last move shows, and nothing without a picture", () =>
  withClient(async (client) => {
    assert.equal(await client.currentFrame(), undefined);
    const { currentFrameMediaPath: path } = await client.uploadSource(SOURCE);
    assert.equal(path, "/v1/world/session/media/frame");
    assert.match(decoder.decode(await client.currentFrame()), /^image 64 32/);
    const job = await client.awaitJob((await client.startTransition(yaw("yawLeft", -15))).jobId);
    assert.deepEqual(await client.currentFrame(), await client.terminalFrame(job.jobId));
    await client.reset();
    assert.equal(await client.currentFrame(), undefined);
  }, { apiKey: "key" }));

test("WorldClient.events() follows a transition to its end", () =>
  withClient(async (client) => {
    await client.uploadSource(SOURCE);
    const seen: string[] = [];
    for await (const { event, data } of client.events()) {
      seen.push(event);
      if (seen.length === 1) await client.startTransition(yaw("yawLeft", -15));
      if (event === "job" && data.status === "completed") break;
    }
    assert.equal(seen[0], "snapshot");
    assert.ok(seen.includes("chunk"));
  }, { apiKey: "key" }));

// @row world-session > Endpoints > `GET /v1/world/start`, `…/start/image`
// @row world-session > Endpoints > `GET …/start/places/{place}/image`
test("WorldClient.start() gives the picture and the words that the model brings along", () =>
  withClient(async (client) => {
    assert.deepEqual(await client.start(), {
      object: "world.start",
      prompt: "a corridor",
      imageMediaPath: "/v1/world/start/image",
      places: [
        { prompt: "a corridor", imageMediaPath: "/v1/world/start/image" },
        { prompt: "a blue one", imageMediaPath: "/v1/world/start/places/1/image" },
      ],
    });
    assert.deepEqual(await client.startImage(), new Uint8Array(SOURCE));
    assert.deepEqual(await client.media("/v1/world/start/places/1/image"), PLACE);
    for (const place of ["0", "2", "1.0", "x"]) {
      await assert.rejects(client.media(`/v1/world/start/places/${place}/image`), /has 1 besides its first/);
    }
  }, {
    apiKey: "key",
    start: () => {
      const places = [{ prompt: "a blue one", read: () => Promise.resolve(PLACE) }];
      return Promise.resolve({ prompt: "a corridor", image: SOURCE, places });
    },
  }));

// @row world-session > Endpoints > `POST /v1/world/start/picture`
test("WorldClient.startPicture() asks for a picture of a place, one at a time", () => {
  const asked: unknown[] = [];
  let finish = (): void => {};
  const describe = async ({ prompt, seed }: { prompt: string; seed: bigint }) => {
    asked.push([prompt, seed]);
    if (prompt === "slow") await new Promise<void>((resolve) => finish = resolve);
    return new Uint8Array(SOURCE);
  };
  return withClient(async (client) => {
    assert.deepEqual(
      await client.startPicture({ prompt: "a hall", seed: "18446744073709551615" }),
      new Uint8Array(SOURCE),
    );
    await client.startPicture({ prompt: "a hall" });
    assert.deepEqual(asked, [["a hall", 2n ** 64n - 1n], ["a hall", 42n]]);
    await assert.rejects(client.startPicture({ prompt: " " }), { status: 400, code: "invalid_prompt" });
    await assert.rejects(client.startPicture({ prompt: "x".repeat(4097) }), { status: 400, code: "invalid_prompt" });
    const slow = client.startPicture({ prompt: "slow" });
    while (asked.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    await assert.rejects(client.startPicture({ prompt: "a hall" }), { status: 409, code: "session_busy" });
    finish();
    await slow;
    await client.startPicture({ prompt: "a hall" });
  }, { apiKey: "key", describe });
});

test("WorldClient.start() reports a model without one", () =>
  withClient(async (client) => {
    await assert.rejects(client.start(), { status: 404, code: "start_not_found" });
    await assert.rejects(client.startImage(), { status: 404, code: "start_not_found" });
  }, { apiKey: "key" }));
