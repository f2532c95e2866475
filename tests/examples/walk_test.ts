import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startOwnServer } from "../../cli/walk/walk_server.ts";
import { decodeImage } from "../../lib/media/images/decode_image.ts";
import { readVideoFrames } from "../../lib/media/video/read_video_frames.ts";
import { locateModel } from "../../lib/app/world/model_location.ts";
import { promptOfPicture } from "../../lib/world/protocol/known_places.ts";
import { readModelStart } from "../../lib/world/host/models/model_folder.ts";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { programArguments } from "../support/program_arguments.ts";

const example = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** Runs a program in a folder to its end; what it wrote to stderr is the error when it failed. */
async function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const child = spawn(command, [...args], { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stdout.resume();
  child.stderr.on("data", (data) => errors += data);
  const status = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(status, 0, errors);
}

/** Asserts that a video has the frames of five blocks, and that the walk has changed the picture. */
async function assertWalked(path: string): Promise<void> {
  const read = await readVideoFrames(new Uint8Array(await readFile(path)), [0, 56]);
  assert.ok(read.ok);
  const { data } = read.frames;
  const size = data.length / 2;
  const change = data.subarray(size).reduce((sum, value, index) => sum + Math.abs(value - data[index]!), 0) / size;
  assert.ok(change > 4, `the last frame differs from the first one by ${change} levels`);
}

test("examples/corridor.png is the picture that the embedded world starts from by default", async () => {
  const { image } = await readModelStart(await locateModel({}));
  assert.deepEqual(new Uint8Array(await readFile(example("corridor.png"))), image);
});

test("the embedded world comes with six other places, each with a picture and the words of its colours", async () => {
  const start = await readModelStart(await locateModel({}));
  const { places = [] } = start;
  assert.deepEqual(places.map(({ prompt }) => prompt.split(" ")[1]), [
    ...["blue", "red", "white", "purple"],
    ...["sandstone", "granite"], // courtyards
  ]);
  for (const { prompt, read } of places) {
    const picture = await read();
    const { width, height } = await decodeImage(picture);
    assert.deepEqual([width, height], [384, 256], prompt);
    assert.equal(await promptOfPicture(start, picture), prompt);
  }
  assert.equal(await promptOfPicture(start, start.image), start.prompt);
  assert.equal(await promptOfPicture(start, start.image.slice(1)), undefined);
});

test("examples/walk.ts saves the video of its walk", async () => {
  const folder = await makeTemporaryDirectory();
  await cp(example("corridor.png"), join(folder.path, "examples", "corridor.png"));
  await run(process.execPath, [...programArguments(), example("walk.ts")], folder.path);
  await assertWalked(join(folder.path, "walk.mp4"));
  await folder.remove();
});

const noCurl = spawnSync("curl", ["--version"]).status === 0 ? false : "curl is not installed";

test("examples/walk.sh saves the video of its walk with curl alone", { skip: noCurl }, async () => {
  const [server, folder] = [await startOwnServer(), await makeTemporaryDirectory()];
  await run("sh", [example("walk.sh"), "by_curl.mp4"], folder.path, { SVC_URL: server.url });
  await assertWalked(join(folder.path, "by_curl.mp4"));
  await server.close();
  await folder.remove();
});

for (const name of ["client", "compute", "http", "manifest", "media", "sdk", "world"]) {
  test(`examples/${name}.ts runs to its end`, async () => {
    const folder = await makeTemporaryDirectory();
    await cp(example("corridor.png"), join(folder.path, "examples", "corridor.png"));
    await run(process.execPath, [...programArguments(), example(`${name}.ts`)], folder.path, { SVC_HOME: folder.path });
    await folder.remove();
  });
}
