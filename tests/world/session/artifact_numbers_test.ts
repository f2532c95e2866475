import assert from "node:assert/strict";
import { test } from "node:test";
import { artifactNames, ArtifactNumbers, endsWithSession } from "../../../lib/world/session/artifacts.ts";

// @row world-session > Rules of the world server > Files of one counter, never reused
test("ArtifactNumbers.next() skips every number that any artifact has", async () => {
  const numbers = new ArtifactNumbers(() =>
    Promise.resolve(["rollout-0001.chunks", "state-0002.png", "transition-0004.mp4"])
  );
  assert.deepEqual([await numbers.next(), await numbers.next(), await numbers.next()], [3, 5, 6]);
});

// @row world-session > Rules of the world server > Files of one counter, never reused
test("ArtifactNumbers.next() continues after the last number of an earlier process", async () => {
  assert.equal(await new ArtifactNumbers(() => Promise.resolve(["state-0004.png"]), 3).next(), 5);
});

// @row world-session > Rules of the world server > Files of one counter, never reused
test("ArtifactNumbers.next() never gives a number again when its files are gone", async () => {
  let there: string[] = [];
  const numbers = new ArtifactNumbers(() => Promise.resolve(there));
  assert.equal(await numbers.next(), 1);
  there = ["rollout-0002.mp4"];
  assert.equal(await numbers.next(), 3);
  there = [];
  assert.equal(await numbers.next(), 4);
});

test("ArtifactNumbers.next() looks only at names of artifacts", async () => {
  const names = ["server.lock", "photo-0001.png", "state-1.png", "rollout-0002", ".rollout-0001.mp4.tmp"];
  assert.equal(await new ArtifactNumbers(() => Promise.resolve(names)).next(), 1);
});

test("artifactNames() has at least four digits", () => {
  assert.equal(artifactNames(7).output("rollout"), "rollout-0007.mp4");
  assert.equal(artifactNames(12345).frame, "state-12345.png");
  assert.equal(artifactNames(7).chunk("rollout", 0), "rollout-0007.chunks/chunk-0001.mp4");
  assert.equal(artifactNames(7).output("transition"), "transition-0007.mp4");
  assert.equal(artifactNames(7).source, "source-0007.png");
  assert.equal(artifactNames(7).checkpoint, "checkpoint-0007.png");
  assert.equal(artifactNames(7).keptBlock(1), "transition-0007.frames/block-0002.rgb");
});

test("endsWithSession() names what only the session that made it can use", () => {
  const names = ["transition-0007.frames", "checkpoint-0012.png", "transition-0007.mp4", "state-0001.png", "x.frames"];
  assert.deepEqual(names.filter(endsWithSession), ["transition-0007.frames", "checkpoint-0012.png"]);
});
