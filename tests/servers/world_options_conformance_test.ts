import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { sceneMemoryRules } from "../../lib/world/protocol/scene_memory_policy.ts";
import type { SceneMemoryPolicyRecord } from "../../lib/world/protocol/wire.ts";
import type { WorldServerOptions } from "../../lib/app/world/start_world_server.ts";
import { readWorldFlags } from "../../servers/flags/world_flags.ts";

function read(args: readonly string[], env: Record<string, string> = {}): WorldServerOptions {
  const command = readWorldFlags("svc world serve", args, env);
  assert.equal(command.kind, "serve", args.join(" "));
  return command.kind === "serve" ? command.options : {};
}

/** An option: what it is when it is left out, texts that it takes with what they mean, and texts that it refuses. */
type Row = [flag: string, read: (o: WorldServerOptions) => unknown, omitted: unknown, good: Good[], bad: string[]];
type Good = [text: string, value: unknown];

const noIntegers = ["-1", "1.5", "1e2", "", "x", "NaN", "Infinity", "0x10", " 1"];
const memory = (key: keyof SceneMemoryPolicyRecord) => ({ sceneMemory }: WorldServerOptions): unknown =>
  sceneMemoryRules(sceneMemory)[key];
const noNumbers = ["-0.1", "1e400", "-1e400", "nan", "NaN", "inf", "Infinity", "", "x", "0x1"];

const options: Row[] = [
  ["backend", (o) => o.backend, "arworld", [["arworld", "arworld"], ["actionworld", "actionworld"]], [
    "",
    "ARWORLD",
    "other",
  ]],
  ["base-model", (o) => o.baseModel, undefined, [["/models/base", "/models/base"]], []],
  ["state-directory", (o) => o.stateDirectory, undefined, [["/tmp/state", "/tmp/state"]], []],
  ["device", (o) => o.device, "auto", [["auto", "auto"], ["cpu", "cpu"], ["webgpu", "webgpu"]], ["", "gpu"]],
  ["threads", (o) => o.threads, undefined, [["1", 1], ["1024", 1024]], [...noIntegers, "0", "1025"]],
  ["memory-limit-gb", (o) => o.memoryLimit, undefined, [["0.5", 2 ** 29], ["8", 2 ** 33]], noNumbers],
  ["host", (o) => o.host, "127.0.0.1", [["localhost", "localhost"], ["::1", "::1"], ["127.1.2.3", "127.1.2.3"]], [
    "0.0.0.0",
    "::",
    "192.168.1.2",
  ]],
  ["port", (o) => o.port, 8791, [["0", 0], ["1", 1], ["65535", 65535]], [...noIntegers, "65536"]],
  ["api-key", (o) => o.apiKey, undefined, [["secret", "secret"], [" secret ", "secret"], [" ", undefined]], []],
  ["max-retained-edges", (o) => o.maxRetainedEdges, 64, [["0", 0], ["1", 1], ["999", 999]], [...noIntegers, "1000"]],
  ["keep-files", (o) => o.keepFiles, 4 * 1024 ** 3, [["0", 0], ["9007199254740991", 9007199254740991]], [
    ...noIntegers,
    "9007199254740992",
  ]],
  ["max-worlds", (o) => o.maxWorlds, 8, [["1", 1], ["1000", 1000]], [...noIntegers, "0", "1001"]],
  ["max-checkpoints", (o) => o.maxCheckpoints, 32, [["0", 0], ["1", 1], ["1000", 1000]], [...noIntegers, "1001"]],
  ["scene-memory-strength", memory("recyclingStrength"), 0.08, [["0", 0], ["1", 1], ["1e-3", 0.001]], [
    ...noNumbers,
    "1.001",
  ]],
  ["scene-memory-max-frames", memory("maximumFrameCount"), 96, [["0", 0], ["1", 1], ["500", 500]], [
    ...noNumbers,
    "1.5",
  ]],
  ["scene-memory-minimum-gap", memory("minimumFrameGap"), 3, [["0", 0], ["7", 7]], [...noNumbers, "1.5"]],
  ["scene-memory-max-yaw", memory("maximumYawDistanceDegrees"), 2, [["0.01", 0.01], ["90", 90]], [
    ...noNumbers,
    "0.009",
  ]],
  ["scene-memory-max-translation", memory("maximumTranslationDistance"), 0.1, [["0.001", 0.001], ["5", 5]], [
    ...noNumbers,
    "0.0009",
  ]],
  ["scene-memory-exact-yaw", memory("exactRevisitMaximumYawDistanceDegrees"), 0.01, [["0", 0], ["2", 2]], [
    ...noNumbers,
    "2.1",
  ]],
  [
    "scene-memory-exact-translation",
    memory("exactRevisitMaximumTranslationDistance"),
    0.001,
    [["0", 0], ["0.1", 0.1]],
    [...noNumbers, "0.11"],
  ],
];

for (const [flag, value, omitted, good, bad] of options) {
  // @row world-session > Options > `--backend` => backend
  // @row world-session > Options > `--base-model` => base-model
  // @row world-session > Options > `--state-directory` => state-directory
  // @row world-session > Options > `--host` => host
  // @row world-session > Options > `--port` => port
  // @row world-session > Options > `--api-key` and `SVC_API_KEY` => api-key
  // @row world-session > Options > `--scene-memory-strength` => scene-memory-strength
  // @row world-session > Options > `--scene-memory-max-frames` => scene-memory-max-frames
  // @row world-session > Options > `--scene-memory-minimum-gap` => scene-memory-minimum-gap
  // @row world-session > Options > `--scene-memory-max-yaw` => scene-memory-max-yaw
  // @row world-session > Options > `--scene-memory-max-translation` => scene-memory-max-translation
  // @row world-session > Options > `--scene-memory-exact-yaw` => scene-memory-exact-yaw
  // @row world-session > Options > `--scene-memory-exact-translation` => scene-memory-exact-translation
  // @row world-session > Options > `--max-retained-edges` => max-retained-edges
  // @row world-session > Options > `--max-checkpoints` => max-checkpoints
  // @row world-session > Options > `--max-worlds` => max-worlds
  // @row world-session > Options > `--keep-files` => keep-files
  // @row world-session > Options > `--device`, `--threads` => device
  // @row world-session > Options > `--device`, `--threads` => threads
  // @row world-session > Options > `--memory-limit-gb` => memory-limit-gb
  // @row world-session > Limits > 64 retained edges, 32 checkpoints by default => max-retained-edges
  // @row world-session > Limits > 64 retained edges, 32 checkpoints by default => max-checkpoints
  test(`--${flag} has its default, takes its bounds and refuses what is beyond them`, () => {
    assert.deepEqual(value(read([])), omitted);
    for (const [text, meant] of good) {
      assert.deepEqual(value(read([`--${flag}=${text}`])), meant, text);
      assert.deepEqual(value(read([`--${flag}`, text])), meant, text);
    }
    for (const text of bad) {
      for (const args of [[`--${flag}=${text}`], [`--${flag}`, text]]) {
        assert.throws(() => read(args), (error) => {
          assert.ok(error instanceof UsageError, String(error));
          assert.match(error.message, /^Cannot [^\n]*[^.]$/);
          return true;
        }, args.join(" "));
      }
    }
    assert.throws(() => read([`--${flag}`]), UsageError, "no value");
  });
}

// @row world-session > Options > `--prepare`
// @row world-session > Options > `--disable-scene-memory`
test("--prepare and --disable-scene-memory take no value", () => {
  assert.deepEqual([read([]).prepare, read(["--prepare"]).prepare], [false, true]);
  assert.equal(memory("mode")(read([])), "paper_reconstructed_revisit_anchor");
  assert.equal(memory("mode")(read(["--disable-scene-memory"])), "disabled");
  for (const flag of ["--prepare=1", "--disable-scene-memory=true"]) assert.throws(() => read([flag]), UsageError);
});

// @row world-session > Options > `--api-key` and `SVC_API_KEY`
// @row world-session > Authentication > A bind to the network needs a key: exit 2, one sentence
// @row world-session > Authentication > The key from the environment
test("--api-key wins over SVC_API_KEY, and either lets the server listen on the network", () => {
  const env = { SVC_API_KEY: " from the environment " };
  assert.equal(read(["--api-key=flag"], env).apiKey, "flag");
  assert.equal(read([], env).apiKey, "from the environment");
  assert.equal(read(["--host=0.0.0.0"], env).host, "0.0.0.0");
  assert.equal(read(["--host=0.0.0.0", "--api-key=0123456789abcdef"]).host, "0.0.0.0");
  for (const key of ["", "  "]) assert.throws(() => read(["--host=0.0.0.0"], { SVC_API_KEY: key }), UsageError);
});

test("an option that there is not is refused with the one that was meant", () => {
  for (const [given, meant] of [["--ports=1", "--port"], ["--scene-memory-max-yaws=1", "--scene-memory-max-yaw"]]) {
    assert.throws(() => read([given]), new RegExp(`did you mean ${meant}\\?`));
  }
  assert.throws(() => read(["forward"]), UsageError);
});
