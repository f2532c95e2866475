import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryFiles } from "../../site/world/memory_files.ts";

test("files in memory are written once, read in ranges, listed and removed with their folder", async () => {
  const files = memoryFiles(() => 5);
  const [video, chunk] = [files.statePath("rollout-0001.mp4"), files.statePath("rollout-0001.chunks/block-0001.mp4")];
  const bytes = new Uint8Array([1, 2, 3, 4]);
  await files.writeNew(chunk, bytes);
  await files.writeNew(video, bytes.subarray(1));
  bytes.fill(0);
  await assert.rejects(files.writeNew(video, bytes), { code: "output_exists" });
  assert.deepEqual(await files.list(), ["rollout-0001.chunks", "rollout-0001.mp4"]);
  assert.deepEqual([...await files.sizes()], [[chunk, 4], [video, 3]]);

  const file = await files.open(chunk);
  assert.deepEqual([file?.size, file?.modified], [4, 5]);
  const part = new Uint8Array(await new Response(file!.stream(1, 2)).arrayBuffer());
  assert.deepEqual([...part], [2, 3]);

  await files.remove(files.statePath("rollout-0001.chunks"));
  assert.equal(await files.open(chunk), undefined);
  assert.deepEqual(await files.list(), ["rollout-0001.mp4"]);
  await files.remove(files.statePath("never"));
});

test("a world in memory has no files that a client could name", async () => {
  const files = memoryFiles(() => 0);
  await assert.rejects(files.readClientFile("/etc/passwd", 100), { code: "path_not_allowed" });
  await assert.rejects(files.clientOutput("walk.mp4"), { code: "path_not_allowed" });
});
