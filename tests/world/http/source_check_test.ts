import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, worldHarness } from "../../support/world_harness.ts";
import { ok, SESSION, UPLOAD, withSession } from "../../support/with_world.ts";

const CHECK = `${SESSION}/source/check`;

// @row world-session > Endpoints > `POST …/session/source/check`
test("a picture is looked at without touching the session, and measured once the model is loaded", () =>
  withSession(async (h) => {
    h.model.known = 2.5;
    const size = { object: "world.start_check", width: 64, height: 32 };
    const before = await ok(h.call("GET", SESSION));
    assert.deepEqual(await ok(h.call("POST", CHECK, UPLOAD)), size);
    assert.deepEqual(await ok(h.call("GET", SESSION)), before);
    await ok(h.call("POST", `${SESSION}/prepare`));
    assert.deepEqual(await ok(h.call("POST", CHECK, UPLOAD)), { ...size, distance: 2.5 });
    const broken = { headers: { "content-type": "image/png" }, body: new Uint8Array(4) };
    assert.equal((await errorOf(await h.call("POST", CHECK, broken))).code, "image_unsupported");
    h.model.known = undefined;
    assert.deepEqual(await ok(h.call("POST", CHECK, UPLOAD)), size);
  }));

// @row world-session > Snapshot > `source_distance`
test("the snapshot says how far the source image is from what the model was made for, until another one replaces it", () =>
  withSession(async (h) => {
    h.model.known = 0.4;
    assert.equal((await ok(h.call("POST", `${SESSION}/source`, UPLOAD))).source_distance, undefined); // still cold
    assert.equal((await ok(h.call("POST", `${SESSION}/prepare`))).source_distance, 0.4);
    h.model.known = 3;
    assert.equal((await ok(h.call("GET", SESSION))).source_distance, 0.4);
    assert.equal((await ok(h.call("POST", `${SESSION}/source`, UPLOAD))).source_distance, 3);
    assert.equal((await ok(h.call("POST", `${SESSION}/reset`))).source_distance, undefined);
  }));

// @row world-session > Endpoints > `POST /v1/world/start/picture`
test("words that are not of the image model's captions are named beside the picture", async () => {
  const h = await worldHarness({
    describe: (_place, _signal, onWarning) => {
      onWarning('The model was made for corridors only, and has no word for "cat"');
      return Promise.resolve(new Uint8Array([1]));
    },
  });
  const response = await h.call("POST", "/v1/world/start/picture", { json: { prompt: "a red cat" } });
  assert.equal(
    response.headers.get("x-svc-warning"),
    'The model was made for corridors only, and has no word for "cat"',
  );
  await h.session.close();
});
