import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withApi } from "../../support/api_harness.ts";
import { apiRequests } from "../../support/fuzz_api_requests.ts";
import { chatProfile, installed, usualModels } from "../../support/fake_catalog.ts";
import { invalidRequest, SvcError } from "../../../lib/errors/svc_error.ts";

test("2000 random requests to the model API are answered as its description says, and never with 500", async () => {
  const eye = installed(
    "chat-a",
    "chat.completions",
    chatProfile({ features: ["images", "tools", "stop", "logprobs"] }),
  );
  const counts: Record<number, number> = {};
  const models = [eye, ...usualModels().slice(1)];
  const readImage = () => Promise.reject(invalidRequest("image_not_found", "Cannot read the image"));
  const openLocalModel = () => Promise.reject(new SvcError("unsuitable_files", "Cannot use the folder"));
  await withApi({ models, rateLimitPerMinute: 1e6, readImage, openLocalModel }, async (h) => {
    for (const { method, path, ...init } of fc.sample(apiRequests, { numRuns: 2000, seed: 7 })) {
      const response = await h.call(method, path, init);
      await response.body?.cancel();
      counts[response.status] = (counts[response.status] ?? 0) + 1;
      assert.deepEqual(h.errors, [], `${method} ${path} ${JSON.stringify(init)}`);
    }
    const { admission } = await h.api.status();
    assert.deepEqual([admission.activeRequests, admission.queuedRequests], [0, 0]);
    assert.equal(h.clock.pending <= 2, true); // the lanes of embeddings and reranking
  });
  for (const status of [200, 204, 400, 403, 404, 405, 409, 415]) {
    assert.ok((counts[status] ?? 0) > 2, `${counts[status] ?? 0} answers with ${status}`);
  }
});
