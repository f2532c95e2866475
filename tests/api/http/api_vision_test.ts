import assert from "node:assert/strict";
import { test } from "node:test";
import { refusal, withApi } from "../../support/api_harness.ts";

const routes = [
  "/v1/vision/geometry",
  "/v1/vision/geometry/multiview",
  "/v1/vision/image-to-3d",
  "/v1/vision/image-to-3d-multiview",
  "/v1/vision/depth-video",
];

// @row model-api > Authentication > 4: vision routes refuse other machines
test("vision routes are for clients on this machine, whoever they are, before their content type is looked at", () =>
  withApi({ apiKey: "a-long-enough-key" }, async (h) => {
    const headers = { authorization: "Bearer a-long-enough-key" };
    for (const path of routes) {
      const init = { headers, peer: "192.168.1.7", body: "x" };
      const { message } = await refusal(await h.call("POST", path, init), 403, "peer_not_allowed");
      assert.match(message, /server's machine/);
      await refusal(await h.call("POST", path, { peer: "192.168.1.7" }), 401, "missing_api_key");
      const near = { ...headers, "content-type": "application/json" };
      await refusal(await h.call("POST", path, { headers: near, body: "{}" }), 415, "unsupported_content_type");
    }
    const file = `/v1/vision/artifacts/${crypto.randomUUID()}/x.exr`;
    await refusal(await h.call("GET", file, { headers, peer: "192.168.1.7" }), 403, "peer_not_allowed");
    await refusal(await h.call("GET", file), 401, "missing_api_key");
    await refusal(await h.call("GET", file, { headers }), 404, "artifact_not_found");
  }));
