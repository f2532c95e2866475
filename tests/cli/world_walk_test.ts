import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { startOwnServer } from "../../cli/walk/walk_server.ts";
import { readVideoFrames } from "../../lib/media/video/read_video_frames.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { programOf } from "../support/program_arguments.ts";

/** Starts the command line tool as a process of the runtime that this test runs in. */
function svc(...args: string[]) {
  return spawn(process.execPath, [...programOf("cli/main.ts"), ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

let server: Awaited<ReturnType<typeof startOwnServer>>;

before(async () => {
  server = await startOwnServer();
});

after(() => server.close());

test("svc world walk makes a video and a sheet of the embedded world on its own server", async () => {
  const folder = await makeTemporaryDirectory();
  const output = join(folder.path, "a.mp4");
  const child = svc(
    "world",
    "walk",
    "w",
    "l",
    "--width",
    "64",
    "--height",
    "32",
    "-o",
    output,
    "--url",
    server.url,
    "--json",
  );
  const events: { event: string; frames?: number }[] = [];
  for await (const line of createInterface(child.stdout)) events.push(JSON.parse(line));
  assert.deepEqual(events.map(({ event }) => event).filter((event) => event !== "progress"), [
    "server",
    "ready",
    "source",
    "saved",
  ]);
  const read = await readVideoFrames(new Uint8Array(await readFile(output)), [0, 20]);
  assert.ok(read.ok);
  assert.deepEqual([read.frames.width, read.frames.height], [64, 32]);
  assert.deepEqual((await readdir(folder.path)).sort(), ["a.mp4", "a.png"]);
  await folder.remove();
});

test("svc world walk ends with status 1 and leaves the session as it was after Ctrl+C", async () => {
  const folder = await makeTemporaryDirectory();
  const output = join(folder.path, "a.mp4");
  const child = svc("world", "walk", "w84", "-o", output, "--url", server.url, "--json");
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let interrupted = false; // a second signal would end the process at once
  for await (const line of createInterface(child.stdout)) {
    if (JSON.parse(line).event !== "progress" || interrupted) continue;
    interrupted = process.kill(child.pid!, "SIGINT"); // Deno forgets the exit status after child.kill()
  }
  assert.equal(await ended, 1);
  assert.deepEqual(await readdir(folder.path), []);
  const { data: [, { path }] } = await (await fetch(`${server.url}/v1/worlds`)).json() as { data: { path: string }[] };
  const { phase, transitionCount, generatedLatentFrameCount } = await new WorldClient(server.url + path).session();
  assert.deepEqual([phase, transitionCount, generatedLatentFrameCount], ["ready", 0, 0]);
  await folder.remove();
});
