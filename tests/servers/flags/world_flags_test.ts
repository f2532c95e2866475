import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";
import { SCENE_MEMORY_DEFAULTS } from "../../../lib/world/protocol/scene_memory_policy.ts";
import { readWorldFlags, worldHelp } from "../../../servers/flags/world_flags.ts";
import type { WorldServerOptions } from "../../../lib/app/world/start_world_server.ts";

function options(args: string[], env: Record<string, string> = {}): WorldServerOptions {
  const command = readWorldFlags("svc world serve", args, env);
  assert.equal(command.kind, "serve");
  return command.kind === "serve" ? command.options : {};
}

function usage(args: string[], env: Record<string, string> = {}): string {
  try {
    readWorldFlags("svc world serve", args, env);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    assert.doesNotMatch(error.message, /\n/);
    return error.message;
  }
  assert.fail(`${args} were accepted`);
}

// @row world-session > Options > `--model`
test("readWorldFlags() serves the embedded world on loopback by default", () => {
  const { model, host, port, device, prepare, apiKey } = options([]);
  assert.deepEqual({ model, host, port, device, prepare, apiKey }, {
    model: undefined,
    host: "127.0.0.1",
    port: 8791,
    device: "auto",
    prepare: false,
    apiKey: undefined,
  });
});

test("readWorldFlags() takes the key from the flag before the environment, without blanks", () => {
  assert.equal(options(["--api-key", " a "], { SVC_API_KEY: "b" }).apiKey, "a");
  assert.equal(options([], { SVC_API_KEY: " b\n" }).apiKey, "b");
  assert.equal(options(["--api-key="], { SVC_API_KEY: "b" }).apiKey, undefined);
  assert.equal(options([], { SVC_API_KEY: "  " }).apiKey, undefined);
});

// @row world-session > Options > `--host`
test("readWorldFlags() listens on the network only with a key", () => {
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "example.com", ""]) {
    assert.match(usage([`--host=${host}`]), /set --api-key or SVC_API_KEY first/, host);
    assert.match(usage([`--host=${host}`, "--api-key= "]), /set --api-key/);
    assert.match(
      usage([`--host=${host}`, "--api-key=123456789012345"]),
      /the key has 15 characters, expected at least 16/,
    );
    assert.equal(options([`--host=${host}`], { SVC_API_KEY: "1234567890123456" }).host, host);
  }
  for (const host of ["localhost", "::1", "127.0.0.2"]) assert.equal(options([`--host=${host}`]).host, host);
});

// @row world-session > Options > `--decoder`
test("readWorldFlags() takes the tiny decoder when it is asked for", () => {
  assert.deepEqual([options([]).decoder, options(["--decoder=tiny"]).decoder], ["full", "tiny"]);
  assert.throws(() => options(["--decoder=small"]), /--decoder/);
});

// @row world-session > Options > `--journal`
// @row world-session > Options > `--park-after`
test("readWorldFlags() keeps worlds by default", () => {
  assert.deepEqual([options([]).journal, options(["--journal=off"]).journal], [true, false]);
  assert.deepEqual([options([]).parkAfter, options(["--park-after=60"]).parkAfter], [300_000, 60_000]);
  assert.match(usage(["--journal=maybe"]), /expected one of on, off/);
});

// @row world-session > Options > `--backend`
test("readWorldFlags() takes both kinds of world model, and memory flags have no meaning for an actionworld", () => {
  assert.equal(options([]).backend, "arworld");
  const { backend, sceneMemory } = options(["--backend", "actionworld", "--scene-memory-strength", "much"]);
  assert.deepEqual([backend, sceneMemory], ["actionworld", undefined]);
  assert.match(usage(["--backend", "other"]), /expected one of arworld, actionworld/);
});

// @row world-session > Options > `--allow-origin`, `--allow-path`
test("readWorldFlags() takes origins and paths several times and refuses an invalid origin", () => {
  const { allowOrigins, allowPaths } = options([
    "--allow-origin=https://a.example.com",
    "--allow-origin=*",
    "--allow-path=/a",
    "--allow-path=/b",
  ]);
  assert.deepEqual(allowOrigins, ["https://a.example.com", "*"]);
  assert.deepEqual(allowPaths, ["/a", "/b"]);
  for (const origin of ["a.example.com", "https://a.example.com/", "https://a.example.com/x", "null", ""]) {
    assert.match(usage([`--allow-origin=${origin}`]), /expected \* or an origin/, origin);
  }
});

test("readWorldFlags() has the published rules of scene memory by default", () => {
  assert.deepEqual(options([]).sceneMemory, SCENE_MEMORY_DEFAULTS);
});

test("readWorldFlags() takes every number of scene memory", () => {
  const { sceneMemory } = options([
    "--scene-memory-strength=0.25",
    "--scene-memory-max-frames=12",
    "--scene-memory-minimum-gap=0",
    "--scene-memory-max-yaw=5e-1",
    "--scene-memory-max-translation=.5",
    "--scene-memory-exact-yaw=0.5",
    "--scene-memory-exact-translation=0",
  ]);
  assert.deepEqual(sceneMemory, {
    strength: 0.25,
    maxFrames: 12,
    minimumGap: 0,
    maxYaw: 0.5,
    maxTranslation: 0.5,
    exactYaw: 0.5,
    exactTranslation: 0,
  });
});

// @row world-session > Options > A number of scene memory that is invalid or not finite ends the start before the model is loaded
// @row world-session > Errors > Scene-memory options
test("readWorldFlags() refuses scene memory numbers that are invalid, not finite or out of range", () => {
  const names = [
    "strength",
    "max-frames",
    "minimum-gap",
    "max-yaw",
    "max-translation",
    "exact-yaw",
    "exact-translation",
  ];
  for (const name of names) {
    for (const text of ["-1", "nan", "NaN", "inf", "-inf", "Infinity", "1e999", "", "abc", "0x10", "1,5"]) {
      for (const args of [[`--scene-memory-${name}=${text}`], [`--scene-memory-${name}`, text]]) {
        assert.match(
          usage(args),
          new RegExp(`^Cannot use scene memory: --scene-memory-${name} is .*, expected `),
          text,
        );
      }
    }
  }
  assert.match(usage(["--scene-memory-strength", "1.1"]), /is 1.1, expected a finite number from 0 to 1$/);
  assert.match(usage(["--scene-memory-max-frames", "1.5"]), /expected a whole number/);
  assert.match(usage(["--scene-memory-minimum-gap", "2.5"]), /expected a whole number/);
  assert.match(usage(["--scene-memory-exact-yaw", "3"]), /from 0 to --scene-memory-max-yaw, which is 2$/);
  assert.match(
    usage(["--scene-memory-exact-translation", "1"]),
    /from 0 to --scene-memory-max-translation, which is 0.1$/,
  );
});

// @row world-session > Options > `--disable-scene-memory`
test("readWorldFlags() looks at no number of scene memory when it is disabled", () => {
  for (const text of ["-1", "abc", "nan", "-Infinity", "7"]) {
    const { sceneMemory } = options(["--scene-memory-strength", text, "--disable-scene-memory"]);
    assert.equal(sceneMemory, false);
  }
});

test("readWorldFlags() takes the limits of edges and checkpoints", () => {
  const { maxRetainedEdges, maxCheckpoints } = options([]);
  assert.deepEqual([maxRetainedEdges, maxCheckpoints], [64, 32]);
  assert.equal(options(["--max-retained-edges=0"]).maxRetainedEdges, 0);
  assert.equal(options(["--max-checkpoints", "1000"]).maxCheckpoints, 1000);
  assert.match(usage(["--max-retained-edges=1000"]), /expected an integer from 0 to 999/);
  assert.match(usage(["--max-checkpoints", "-1"]), /is "-1", expected an integer from 0 to 1000/);
});

// @row world-session > Options > `--help`, `--version`
test("readWorldFlags() answers --help and --version before it checks the other flags", () => {
  assert.equal(readWorldFlags("svc world serve", ["--help", "--host=0.0.0.0"], {}).kind, "help");
  assert.equal(readWorldFlags("svc world serve", ["--version"], {}).kind, "version");
  assert.match(worldHelp("svc world serve"), /--state-directory DIR/);
});

// @row world-session > Options > `--adapter`
test("readWorldFlags() takes the adapter as it is written, and none by default", () => {
  const adapter = (args: string[]): unknown => {
    const command = readWorldFlags("svc world serve", args, {});
    return command.kind === "serve" ? command.options.adapter : command;
  };
  assert.equal(adapter([]), undefined);
  assert.equal(adapter(["--adapter", "RTX 4090"]), "RTX 4090");
  assert.equal(adapter(["--adapter=2"]), "2");
});
