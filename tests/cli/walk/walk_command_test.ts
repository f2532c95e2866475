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
  /** What was asked on the terminal, and what the person there answers; undefined where nobody can. */
  readonly asked: string[];
  answer: boolean | undefined;
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
  const asked: string[] = [];
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
    start: () =>
      Promise.resolve({
        ...{ image: text("image 4 4 9"), prompt: "the embedded prompt" },
        places: [{ prompt: "another place", read: () => Promise.resolve(text("image 4 4 7")) }],
      }),
    makePicture: (prompt) => Promise.resolve(text(`image 4 4 ${prompt.length}`)),
    readFrames: (_, indices) => Promise.resolve(options.decoder === false ? noDecoder : blackFrames(indices.length)),
    signal: interrupt.signal,
    now: () => 0,
    confirm: (question) => {
      asked.push(question);
      return Promise.resolve(made.answer);
    },
    startServer: () => {
      count.started += 1;
      return Promise.resolve({ url: OWN_ORIGIN, close: () => Promise.resolve(void (count.closed += 1)) });
    },
    fetch: async (request) => {
      const { origin, pathname } = new URL(request.url);
      if (origin !== (options.running ? DEFAULT_ORIGIN : OWN_ORIGIN)) throw new TypeError("connection refused");
      request.signal.throwIfAborted();
      const body = request.method === "POST" ? { body: new Uint8Array(await request.arrayBuffer()) } : {};
      const headers = Object.fromEntries(request.headers);
      if (!pathname.startsWith("/worlds/")) return await harness.call(request.method, pathname, { headers, ...body });
      // The description has the paths of the first world; those of others are the same below /worlds/ID.
      const { method } = request;
      return await harness.app(
        new Request(`http://localhost:8791${pathname}`, { method, headers, ...body }),
        "127.0.0.1",
      );
    },
  };
  const made: Machine = {
    ...{ harness, files, out, err, interrupt, environment, count, asked, answer: undefined },
    run: (...args) => runWalkCommand(args, host),
  };
  return made;
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

test("svc world walk says that the model was not made for a picture, one of the prompt too", async () => {
  for (const [args, said] of [[["--source", "mine.png"], true], [["--prompt", "a sea"], true], [[], false]] as const) {
    const { harness, err, run } = await machine({ madeFor: "halls" });
    harness.model.known = 3;
    assert.equal(await run("w", ...args), 0);
    assert.equal(err.some((line) => /made for halls only, and this picture is unlike them \(3\.0/.test(line)), said);
    await harness.close();
  }
});

test("svc world walk takes the caption of a picture of the model, and says which prompt it assumes for others", async () => {
  const { harness, files, err, run } = await machine();
  files.set("place.png", text("image 4 4 7"));
  assert.equal(await run("w", "--source", "place.png"), 0);
  assert.equal(err.some((line) => line.startsWith("Prompt:")), false);
  assert.equal(await run("w", "--source", "mine.png", "--force"), 0);
  assert.ok(err.some((line) => /^Prompt: the embedded prompt; say with --prompt/.test(line)), err.join("\n"));
  assert.deepEqual(harness.model.requests.map(({ prompt }) => prompt), ["another place", "the embedded prompt"]);
  await harness.close();
});

test("svc world walk opens a world of its own on the running server and continues there with --continue", async () => {
  const { harness, files, out, err, count, run } = await machine({ running: true });
  await harness.session.setSource(text("image 8 8 3"));
  const page = await harness.walk();
  assert.equal(await run("w", "--source", "mine.png", "--prompt", "p", "--seed", "7", "--fps", "4", "-o", "a.mp4"), 0);
  const [first, own, ...others] = harness.worlds.list();
  assert.deepEqual([first.default, own.name, others], [true, "svc world walk", []]);
  assert.equal(err[0], `Walking on the running server, page ${DEFAULT_ORIGIN}${own.path}`);
  assert.equal(out[2], "Next: open a.mp4; run it again with --continue and another -o to continue from its end");
  assert.equal(await run("l", "--continue", "-o", "b.mp4"), 0);
  assert.deepEqual(
    ["a.mp4", "b.mp4"].map((path) => new TextDecoder().decode(files.get(path)).match(/chunk \d+ \d+/g)),
    [["chunk 0 9"], ["chunk 0 13"]],
  );
  const walked = harness.worlds.get(own.worldId).session;
  assert.equal(walked.snapshot().transitionCount, 2);
  const { states } = await walked.walk();
  assert.deepEqual(states.map(({ move }) => move?.request?.prompt), [undefined, "p", "p"]);
  // The next walk starts that world again, and the page's walk is as it was.
  assert.equal(await run("w", "--force"), 0);
  assert.deepEqual([harness.worlds.list().length, walked.snapshot().transitionCount], [2, 1]);
  assert.deepEqual(harness.session.snapshot().stateIds.length, 2);
  assert.equal(harness.session.job(page.jobId).record().status, "completed");
  assert.deepEqual(count, { started: 0, closed: 0 });
  await harness.close();
});

test("svc world walk leaves a world of its own alone where something was saved in it", async () => {
  const { harness, run } = await machine({ running: true });
  assert.equal(await run("w"), 0);
  const [, own] = harness.worlds.list();
  await harness.worlds.get(own.worldId).session.createCheckpoint({ name: "the corner" });
  assert.equal(await run("w", "--force"), 0);
  assert.equal(harness.worlds.list().length, 3);
  assert.equal(harness.worlds.get(own.worldId).session.snapshot().checkpointCount, 1);
  await harness.close();
});

test("svc world walk asks before it discards a walk on a server that opens no other world", async () => {
  const machined = await machine({ running: true, maxWorlds: 1 });
  const { harness, asked, err, run } = machined;
  // There is nothing to discard yet.
  assert.deepEqual([await run("w"), asked.length], [0, 0]);
  const walked = harness.session.snapshot().currentStateId;
  const again = () => run("l", "--force");
  for (const answer of [undefined, false]) {
    machined.answer = answer;
    assert.equal(await again(), 2);
    assert.match(err.at(-1)!, /^Cannot walk on .*: the server at .* opens no other world.* --replace, .*--continue/);
    assert.equal(harness.session.snapshot().currentStateId, walked);
  }
  assert.match(asked[0], /^svc: .*has a walk of 1 move\. Discard it\?$/);
  machined.answer = true;
  assert.deepEqual([await again(), asked.length], [0, 3]);
  assert.notEqual(harness.session.snapshot().currentStateId, walked);
  machined.answer = undefined;
  assert.deepEqual([await run("l", "--force", "--replace"), asked.length], [0, 3]);
  assert.equal(await run("l", "--force", "--replace", "--continue"), 2);
  await harness.close();
});

test("svc world walk walks in the world whose page --url names, and asks before it discards its walk", async () => {
  const { harness, asked, err, run } = await machine({ running: true });
  const { worldId, path } = await harness.worlds.open({ name: "mine" });
  const { session } = harness.worlds.get(worldId);
  const walk = (...args: string[]) => run("w", "--force", "--url", DEFAULT_ORIGIN + path, ...args);
  assert.deepEqual([await walk(), session.snapshot().transitionCount], [0, 1]);
  assert.deepEqual([await walk(), asked.length], [2, 1]);
  assert.match(err.at(-1)!, /the world of this address has a walk of 1 move, which would be discarded/);
  assert.deepEqual([await walk("--continue"), session.snapshot().transitionCount], [0, 2]);
  assert.deepEqual([await walk("--replace"), session.snapshot().transitionCount], [0, 1]);
  assert.equal(harness.worlds.list().length, 2);
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
