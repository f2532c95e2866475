import assert from "node:assert/strict";
import { test } from "node:test";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import type { VideoFrames } from "../../../lib/media/video/media.ts";
import { runWalkCommand, type WalkHost } from "../../../cli/walk/world_walk.ts";
import { text } from "../../support/fake_media.ts";
import { type HarnessOptions, type WorldHarness, worldHarness } from "../../support/world_harness.ts";

const DEFAULT_ORIGIN = "http://127.0.0.1:8791";
const OWN_ORIGIN = "http://127.0.0.1:40000";

/** A machine with one world server: at the default address, or to be started. */
interface Machine {
  readonly harness: WorldHarness;
  /** Its disk. */
  readonly files: Map<string, Uint8Array>;
  readonly out: string[];
  readonly err: string[];
  /** Presses Ctrl+C. */
  readonly interrupt: AbortController;
  readonly environment: Record<string, string>;
  /** Servers that were started and those that were closed. */
  readonly count: { started: number; closed: number };
  readonly run: (...args: string[]) => Promise<number>;
}

async function machine(options: HarnessOptions & { running?: boolean; decoder?: boolean } = {}): Promise<Machine> {
  const harness = await worldHarness({ defaults: { width: 64, height: 32, fps: 8 }, ...options });
  const files = new Map([["mine.png", text("image 8 8 7")]]) as Map<string, Uint8Array>;
  const out: string[] = [];
  const err: string[] = [];
  const interrupt = new AbortController();
  const environment: Record<string, string> = {};
  const count = { started: 0, closed: 0 };
  const host: WalkHost = {
    terminal: {
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      interactive: false,
      environment: (name) => environment[name],
    },
    files: {
      read: (path) => Promise.resolve(files.get(path)),
      obstacle: (path) =>
        Promise.resolve(files.has(path) ? "exists" : path.startsWith("nowhere/") ? "no folder" : undefined),
      write: (path, bytes) => Promise.resolve(void files.set(path, bytes)),
    },
    start: () => Promise.resolve({ image: text("image 4 4 9"), prompt: "the embedded prompt" }),
    makePicture: (prompt) => Promise.resolve(text(`image 4 4 ${prompt.length}`)),
    readFrames: (_, indices) => Promise.resolve(options.decoder === false ? noDecoder : blackFrames(indices.length)),
    signal: interrupt.signal,
    now: () => 0,
    startServer: () => {
      count.started += 1;
      return Promise.resolve({ url: OWN_ORIGIN, close: () => Promise.resolve(void (count.closed += 1)) });
    },
    fetch: async (request) => {
      const { origin, pathname } = new URL(request.url);
      if (origin !== (options.running ? DEFAULT_ORIGIN : OWN_ORIGIN)) throw new TypeError("connection refused");
      request.signal.throwIfAborted();
      const body = request.method === "POST" ? { body: new Uint8Array(await request.arrayBuffer()) } : {};
      return await harness.call(request.method, pathname, { headers: Object.fromEntries(request.headers), ...body });
    },
  };
  return {
    ...{ harness, files, out, err, interrupt, environment, count },
    run: (...args) => runWalkCommand(args, host),
  };
}

const noDecoder: VideoFrames = { ok: false, reason: "there is no decoder", remedy: "install one" };

function blackFrames(count: number): VideoFrames {
  return { ok: true, frames: { width: 64, height: 32, count, data: new Uint8Array(count * 64 * 32 * 3) } };
}

test("svc world walk saves the video and a contact sheet from the embedded image on a server of its own", async () => {
  const { harness, files, out, err, count, run } = await machine();
  assert.equal(await run("w", "l2"), 0);
  assert.deepEqual([...files.keys()], ["mine.png", "walk.mp4", "walk.png"]);
  assert.match(new TextDecoder().decode(files.get("walk.mp4")), /^video 8 chunk 0 9 .*chunk 9 12 .*chunk 21 12 /);
  assert.deepEqual(files.get("walk.png")?.subarray(1, 4), text("PNG"));
  assert.deepEqual(out, [
    "Saved walk.mp4: 3 blocks, 33 frames of 64x32, 4.1 s at 8 fps",
    "Saved walk.png: the start and each block's end",
    "Next: open walk.mp4; to continue from the end of a walk, keep svc world serve (npm start in a clone) running and add --continue",
  ]);
  assert.deepEqual(err.slice(0, 3), [
    "Started a world server for this walk",
    "World fake on cpu (fake), f32",
    "Starting from the embedded corridor",
  ]);
  assert.deepEqual(harness.model.requests.map(({ prompt, seed }) => [prompt, seed]), [
    ["the embedded prompt", 42n],
    ["the embedded prompt", 43n],
    ["the embedded prompt", 44n],
  ]);
  assert.deepEqual(count, { started: 1, closed: 1 });
  await harness.close();
});

test("svc world walk uses the running server and continues there with --continue", async () => {
  const { harness, out, err, count, run } = await machine({ running: true });
  assert.equal(await run("w", "--source", "mine.png", "--prompt", "p", "--seed", "7", "--fps", "4", "-o", "a.mp4"), 0);
  assert.equal(await run("l", "--continue", "-o", "b.mp4"), 0);
  assert.deepEqual(harness.media.encoded.map(({ frames, fps }) => [frames.count, fps]), [[9, 4], [13, 8]]);
  assert.deepEqual(harness.model.calls.filter((call) => call === "begin"), ["begin"]);
  assert.equal(harness.session.snapshot().transitionCount, 2);
  assert.equal(err[0], `Using the world server at ${DEFAULT_ORIGIN}`);
  assert.equal(out[2], "Next: open a.mp4; run it again with --continue and another -o to continue from its end");
  assert.deepEqual(count, { started: 0, closed: 0 });
  await harness.close();
});

test("svc world walk makes each action a move with --moves, and saves the video of the whole walk", async () => {
  const { harness, files, out, err, run } = await machine();
  assert.equal(await run("w", "wl", ".", "--moves", "--frames", "20", "--seed", "7"), 0);
  const { states } = await harness.session.walk();
  const requests = states.flatMap(({ move }) => move?.request ?? []);
  assert.deepEqual(requests.map((request) => "camera" in request && [request.camera.motion, request.numFrames]), [
    ["forward", 20],
    ["custom", 20],
    ["hold", 20],
  ]);
  const video = new TextDecoder().decode(files.get("walk.mp4"));
  assert.equal(video.match(/chunk/g)?.length, 6);
  assert.equal(out[0], "Saved walk.mp4: 6 blocks, 69 frames of 64x32, 8.6 s at 8 fps");
  assert.ok(err.some((line) => line.startsWith("block 3/3 | 69 frames")), err.join("\n"));
  await harness.close();
});

test("svc world walk names a move that undoes the one before it, as the server would replay it", async () => {
  const { harness, files, err, run } = await machine();
  assert.equal(await run("w", "s", "--moves"), 1);
  assert.match(err.at(-1)!, /^Cannot make the walk move by move: s undoes the move before it, omit both/);
  assert.ok(!files.has("walk.mp4"));
  await harness.close();
});

test("svc world walk walks in an actionworld with --moves", async () => {
  const { harness, files, run } = await machine({ backend: "actionworld", defaults: { width: 64, height: 32 } });
  assert.equal(await run("w", "l", "--moves", "--frames", "9"), 0);
  assert.match(
    new TextDecoder().decode(files.get("walk.mp4")),
    /^video 30,30,30,30 chunk 0 5 .*;chunk 5 4 .*;chunk 0 5 .*;chunk 5 4 .*;$/,
  );
  await harness.close();
});

test("svc world walk refuses to overwrite and touches no server unless --force is given", async () => {
  for (const taken of ["walk.mp4", "walk.png"]) {
    const { harness, files, err, count, run } = await machine();
    files.set(taken, text("old"));
    assert.equal(await run("w"), 2);
    assert.match(err[0]!, new RegExp(`^Cannot write ${taken}: the file exists already, choose another name`));
    assert.deepEqual(files.get(taken), text("old"));
    assert.equal(count.started, 0);
    assert.equal(await run("w", "--force"), 0);
    assert.notDeepEqual(files.get(taken), text("old"));
    await harness.close();
  }
});

test("svc world walk ends with status 2 and a sentence when the command cannot work", async () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["x"], /^Cannot read the action "x"/],
    [["w", "--source", "none.png"], /^Cannot start from none.png: the file does not exist/],
    [["w", "-o", "nowhere/a.mp4"], /^Cannot write nowhere\/a.mp4: its folder is missing/],
    [["w", "--continue"], /^Cannot continue the walk: no world server answers at http:\/\/127.0.0.1:8791/],
  ];
  const { harness, files, err, run } = await machine();
  for (const [args, reason] of cases) {
    assert.equal(await run(...args), 2);
    assert.match(err.at(-1)!, reason);
  }
  assert.deepEqual([...files.keys()], ["mine.png"]);
  await harness.close();
});

test("svc world walk ends with status 1 when --url is not a world server", async () => {
  const { harness, err, run } = await machine();
  assert.equal(await run("w", "--url", "http://127.0.0.1:9"), 1);
  assert.match(err[0]!, /^Cannot reach a world server at http:\/\/127.0.0.1:9: the connection failed/);
  await harness.close();
});

test("svc world walk cancels the job, closes its server and saves nothing when interrupted", async () => {
  const { harness, files, out, err, interrupt, count, run } = await machine();
  harness.model.gate = new Promise(() => {});
  harness.model.onGenerate = () => interrupt.abort();
  assert.equal(await run("w", "w"), 1);
  assert.deepEqual([...files.keys()], ["mine.png"]);
  assert.deepEqual(out, []);
  assert.deepEqual(err.slice(-2), [
    "Cancelling the walk; press Ctrl+C again to stop at once",
    "Walk cancelled: nothing was saved",
  ]);
  const { phase, transitionCount, activeJob } = harness.session.snapshot();
  assert.deepEqual([phase, transitionCount, activeJob], ["ready", 0, undefined]);
  assert.deepEqual(count, { started: 1, closed: 1 });
  await harness.close();
});

test("svc world walk passes the server's own sentence on when the world fails", async () => {
  const { harness, files, out, run } = await machine();
  const error = new SvcError("device_lost", "Cannot continue: the device was lost");
  harness.model.failure = { call: "generate", error };
  assert.equal(await run("w", "--json"), 1);
  assert.deepEqual(JSON.parse(out.at(-1)!), { event: "failed", message: error.message, code: "device_lost" });
  assert.deepEqual([...files.keys()], ["mine.png"]);
  await harness.close();
});

test("svc world walk prints nothing but lines of JSON with --json", async () => {
  const { harness, out, err, run } = await machine();
  assert.equal(await run("w", "w", "--json"), 0);
  const events = out.map((line) => JSON.parse(line).event);
  assert.deepEqual([events.slice(0, 3), events.at(-1)], [["server", "ready", "source"], "saved"]);
  assert.deepEqual(err, []);
  await harness.close();
});

test("svc world walk takes the key from the command line or from SVC_API_KEY", async () => {
  const { harness, err, environment, run } = await machine({ apiKey: "s3cret" });
  assert.equal(await run("w"), 1);
  assert.match(err.at(-1)!, /key|token/i);
  assert.equal(await run("w", "--api-key", "s3cret"), 0);
  environment["SVC_API_KEY"] = "s3cret";
  assert.equal(await run("w", "--force"), 0);
  await harness.close();
});

test("svc world walk saves the video and says what a contact sheet needs without a decoder", async () => {
  const { harness, files, out, run } = await machine({ decoder: false });
  assert.equal(await run("w"), 0);
  assert.deepEqual([...files.keys()], ["mine.png", "walk.mp4"]);
  assert.equal(out[1], "No contact sheet: there is no decoder; to get one, install one");
  await harness.close();
});

test("svc world walk --help prints its usage", async () => {
  const { harness, out, count, run } = await machine();
  assert.equal(await run("--help"), 0);
  assert.match(out[0]!, /^Walk through a generated world/);
  assert.equal(count.started, 0);
  await harness.close();
});
