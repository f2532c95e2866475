import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImageModelProfile } from "../../../lib/engines/contract/model_profile.ts";
import { unknownWords } from "../../../lib/engines/image/unknown_words.ts";
import { withImageModel } from "../../../lib/app/models/embedded_models.ts";
import { openModelStore } from "../../../lib/store/model_store.ts";

test("the embedded image model says which words of a prompt it has no word for, and nothing of its own captions", async () => {
  const models = await withImageModel(openModelStore());
  const profile = models.find(({ id }) => id === "image-corridor-nano")?.profile;
  assert.ok(profile?.kind === "image");
  assert.deepEqual(unknownWords(profile, "a Yellow corridor with purple doors and warm lamps, bright"), []);
  assert.deepEqual(unknownWords(profile, "a brick courtyard with teal arcades and a copper well, dusk"), []);
  assert.deepEqual(unknownWords(profile, "a red cat"), [
    'The model was made for corridors and courtyards only, and has no word for "cat"',
  ]);
  assert.deepEqual(unknownWords(profile, "кот in a corridor"), [
    "The model was made for corridors and courtyards only, and has no word for a word in another script",
  ]);
  const [many] = unknownWords(profile, "zebra quokka yak gnu emu ibex kudu");
  assert.match(many, /"emu" and 2 more$/);
});

test("a model that does not say what it was made for is not judged by its words", () => {
  assert.deepEqual(unknownWords({ kind: "image" } as ImageModelProfile, "a red cat"), []);
});
