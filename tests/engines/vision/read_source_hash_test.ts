import assert from "node:assert/strict";
import { test } from "node:test";
import { graphTripoSrEngine } from "../../../lib/engines/vision/vision_engines.ts";
import { visionModel } from "../../fixtures/tiny_models/vision_models.ts";
import { type GivenFiles, withModelFiles } from "../../support/model_files.ts";
import { safetensorsBytes } from "../../support/safetensors_bytes.ts";

/** The files of a tiny TripoSR whose weights say where they come from. */
function convertedFrom(hash: string): GivenFiles {
  const files = visionModel("image-3d-triposr");
  const weights = files["model.safetensors"] as Uint8Array;
  const length = Number(new DataView(weights.buffer, weights.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(weights.subarray(8, 8 + length)));
  const json = JSON.stringify({ ...header, __metadata__: { source_sha256: hash } });
  return { ...files, "model.safetensors": safetensorsBytes(json, weights.subarray(8 + length)) };
}

test("the profile of an object model has the hash of the checkpoint that its weights were converted from", async () => {
  const hash = "0123456789abcdef".repeat(4);
  for (const [given, expected] of [[hash, hash], ["not a hash", undefined]] as const) {
    await withModelFiles(convertedFrom(given), async (files) => {
      const profile = await graphTripoSrEngine.readProfile(files);
      assert.equal(profile?.kind === "object" && profile.sourceSha256, expected);
    });
  }
});
