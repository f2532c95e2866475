import assert from "node:assert/strict";
import { test } from "node:test";
import { readClipRequest } from "../../../../lib/world/protocol/requests/clip_request.ts";

const camera = { motion: "hold", translation_meters: [0, 0, 0], rotation_degrees: [0, 0, 0] };

test("readClipRequest() takes prompts of 4096 characters as the model reads them", () => {
  assert.equal(readClipRequest({ prompt: "a".repeat(4096), camera }).prompt.length, 4096);
  assert.equal(readClipRequest({ prompt: "é".repeat(682), camera }).prompt.length, 682);
  const refused = (prompt: string, message: RegExp) =>
    assert.throws(() => readClipRequest({ prompt, camera }), { status: 400, code: "invalid_prompt", message });
  refused("a".repeat(4097), /"prompt" has 4097 characters, expected at most 4096$/);
  refused("é".repeat(683), /has 4098 characters, expected at most 4096; those outside ASCII count as 6$/);
});
