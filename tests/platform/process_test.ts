import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { appDirectory, sessionDirectory } from "../../lib/platform/files/app_directory.ts";
import { createLog } from "../../lib/platform/processes/log.ts";
import {
  checkTinyDecoder,
  EMBEDDED_ACTIONS,
  EMBEDDED_MODEL,
  locateActionworld,
  locateModel,
} from "../../lib/app/world/model_location.ts";
import { VERSION } from "../../lib/platform/processes/version.ts";
import { inspectModelRoots } from "../../lib/world/backends/model_roots.ts";
import { withFolder } from "../support/temporary_folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

test("VERSION is that of the manifests", () => {
  for (const name of ["package.json", "deno.json"]) {
    assert.equal(JSON.parse(readFileSync(join(ROOT, name), "utf8")).version, VERSION, name);
  }
});

// @row world-session > Rules of every route > Directories
test("appDirectory() is the platform's own", () => {
  const home = join("/home", "me");
  const linux = { env: {}, platform: "linux", home };
  assert.equal(appDirectory(linux), join(home, ".local", "share", "svc"));
  assert.equal(appDirectory({ ...linux, env: { XDG_DATA_HOME: "/data" } }), join("/data", "svc"));
  assert.equal(appDirectory({ ...linux, env: { SVC_HOME: "/svc", XDG_DATA_HOME: "/data" } }), "/svc");
  assert.equal(
    appDirectory({ env: {}, platform: "darwin", home }),
    join(home, "Library", "Application Support", "svc"),
  );
  assert.equal(appDirectory({ env: { LOCALAPPDATA: "/local" }, platform: "win32", home }), join("/local", "svc"));
});

// @row world-session > Options > `--state-directory`
// @row world-session > Rules of every route > Directories
test("sessionDirectory() is the given one or the default one", () => {
  const linux = { env: { SVC_HOME: "/svc" }, platform: "linux", home: "/home/me" };
  assert.equal(sessionDirectory(undefined, linux), join("/svc", "world-sessions", "default"));
  assert.equal(sessionDirectory("/elsewhere", linux), "/elsewhere");
});

test("createLog() writes one line an event", () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line), () => new Date(0));
  const error = Object.assign(new Error("outer", { cause: new TypeError("inner") }), {
    stack: "Error: outer\n at x",
  });
  log("error", "failed", { id: "a-1", text: 'two "words"', n: 3, none: undefined, empty: "" });
  log("info", "started");
  log("warn", "odd", { error });
  assert.equal(
    lines[0],
    '1970-01-01T00:00:00.000Z error failed id=a-1 text="two \\"words\\"" n=3 empty=""\n',
  );
  assert.equal(lines[1], "1970-01-01T00:00:00.000Z info started\n");
  assert.match(lines[2], /^[^\n]*error="Error: outer\\n at x\\ncaused by TypeError: inner[^\n]*\n$/);
});

// @row world-session > Options > `--model`
test("locateModel() finds the embedded world with all its files", async () => {
  for (const choice of [{}, { model: EMBEDDED_MODEL }]) {
    const roots = await inspectModelRoots(await locateModel(choice));
    assert.equal(roots.id, EMBEDDED_MODEL);
    assert.equal(roots.path, join(ROOT, "models", EMBEDDED_MODEL, "causal"));
    assert.ok(roots.defaults.width && roots.defaults.height && roots.defaults.fps);
  }
});

// @row world-session > Options > `--base-model`
test("locateModel() takes a folder with base and causal, or two folders", () =>
  withFolder(async (folder) => {
    const one = await locateModel({ model: folder });
    assert.deepEqual([one.path, one.basePath], [join(folder, "causal"), join(folder, "base")]);
    const two = await locateModel({ model: join(folder, "w"), baseModel: join(folder, "b") });
    assert.deepEqual([two.id, two.path, two.basePath], ["w", join(folder, "w"), join(folder, "b")]);
    await assert.rejects(inspectModelRoots(one), { code: "model_unavailable" });
  }));

// @row world-session > Options > `--model`
test("locateActionworld() takes the embedded world or one folder, and no base", () =>
  withFolder(async (folder) => {
    for (const choice of [{}, { model: EMBEDDED_ACTIONS }]) {
      const { id, path } = await locateActionworld(choice);
      assert.deepEqual([id, path], [EMBEDDED_ACTIONS, join(ROOT, "models", EMBEDDED_ACTIONS)]);
    }
    const { id, path } = await locateActionworld({ model: join(folder, "w") });
    assert.deepEqual([id, path], ["w", join(folder, "w")]);
    await assert.rejects(locateActionworld({ model: folder, baseModel: folder }), /Cannot use `baseModel`/);
  }));

// @row world-session > Options > `--base-model`
test("locateModel() refuses half a model", () =>
  withFolder(async (folder) => {
    mkdirSync(join(folder, "causal-only"));
    writeFileSync(join(folder, "causal-only", "config.json"), "{}");
    await assert.rejects(locateModel({ model: join(folder, "causal-only") }), /expected `baseModel`/);
    await assert.rejects(locateModel({ baseModel: folder }), /expected `model`/);
  }));

test("checkTinyDecoder() refuses a folder that has everything but it", () =>
  withFolder(async (basePath) => {
    await checkTinyDecoder({ basePath }); // a missing file may still be written
    writeFileSync(join(basePath, "vae.safetensors"), "");
    await assert.rejects(checkTinyDecoder({ basePath }), /has no tiny_decoder.safetensors, expected one made with/);
    writeFileSync(join(basePath, "tiny_decoder.safetensors"), "");
    await checkTinyDecoder({ basePath });
  }));
