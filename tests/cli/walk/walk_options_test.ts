import assert from "node:assert/strict";
import { test } from "node:test";
import { readWalkCommand, WALK_HELP } from "../../../cli/walk/walk_options.ts";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";

test("readWalkCommand() takes the embedded image and its prompt when only actions are given", () => {
  assert.deepEqual(readWalkCommand(["w", "l2"]), {
    help: false,
    json: false,
    replace: false,
    url: undefined,
    apiKey: undefined,
    request: {
      walk: { actions: ["w", "l", "l"], weights: [9, 12, 12], latentFrames: 9 },
      continued: false,
      source: undefined,
      prompt: undefined,
      output: "walk.mp4",
      force: false,
      rollout: {},
    },
  });
});

test("readWalkCommand() passes every option on, wherever it is among the actions", () => {
  const args = [
    ...["--source", "a.png", "w", "-o", "b.mp4", "--prompt", "p", "--seed", "18446744073709551615", "l", "--speed"],
    ...["0.5", "--fps", "24", "--width=128", "--height", "96", "--force", "--json", "--url", "http://h:1", "."],
  ];
  const { json, url, request } = readWalkCommand(args);
  assert.deepEqual([json, url], [true, "http://h:1"]);
  assert.deepEqual(request?.walk.actions, ["w", "l", " "]);
  assert.deepEqual([request?.source, request?.prompt, request?.output, request?.force], ["a.png", "p", "b.mp4", true]);
  assert.deepEqual(request?.rollout, {
    seed: "18446744073709551615",
    speed: 0.5,
    fps: 24,
    width: 128,
    height: 96,
  });
});

test("readWalkCommand() makes a move of each action with --moves", () => {
  assert.deepEqual(readWalkCommand(["w", "--moves"]).request?.moves, {});
  assert.deepEqual(readWalkCommand(["w", "--moves", "--frames", "9"]).request?.moves, { numFrames: 9 });
  assert.equal(readWalkCommand(["w"]).request?.moves, undefined);
});

test("readWalkCommand() prefers the key of the command line to that of the environment", () => {
  assert.equal(readWalkCommand(["w"], "env").apiKey, "env");
  assert.equal(readWalkCommand(["w", "--api-key", " own "], "env").apiKey, "own");
});

test("readWalkCommand() asks for help only when --help is there, whatever else is", () => {
  const command = readWalkCommand(["--help", "nonsense"]);
  assert.deepEqual([command.help, command.request], [true, undefined]);
});

test("readWalkCommand() says what would be right when the command line is wrong", () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /no action given, expected at least one, such as w \(see svc world walk --help\)/],
    [["ws"], /"ws": w and s are opposite/],
    [["w", "--sorce", "a.png"], /the flag --sorce is unknown, did you mean --source\?/],
    [["w", "-o"], /-o has no value/],
    [["w", "-o", "walk.avi"], /--output is "walk.avi", expected a file name that ends in .mp4/],
    [["w", "-o", ".mp4"], /--output is ".mp4"/],
    [["w", "--url", "localhost:8791"], /--url is "localhost:8791", expected an address such as http/],
    [["w", "--seed", "x"], /--seed is "x", expected a whole number from 0 to 2\^64-1/],
    [["w", "--seed", "18446744073709551616"], /--seed is/],
    [["w", "--speed", "0"], /--speed is "0", expected a number above 0/],
    [["w", "--speed", " "], /--speed is " "/],
    [["w", "--speed", "Infinity"], /--speed is "Infinity"/],
    [["w", "--fps", "0"], /--fps is "0", expected an integer from 1 to 240/],
    [["w", "--width", "100"], /--width is "100", expected a multiple of 32/],
    [["w", "--continue", "--source", "a.png"], /--continue and --source exclude each other/],
    [["w", "--moves", "--continue"], /--moves and --continue exclude each other/],
    [["w", "--moves", "--speed", "2"], /--moves have no --speed/],
    [["w", "--frames", "9"], /--frames is the length of --moves, add --moves/],
    [["w", "--moves", "--frames", "1006"], /--frames is "1006", expected an integer from 1 to 1005/],
  ];
  for (const [args, reason] of cases) {
    assert.throws(
      () => readWalkCommand(args),
      (error: unknown) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, reason);
        return true;
      },
      args.join(" "),
    );
  }
});

test("WALK_HELP names every option and the meaning of the keys", () => {
  for (const word of ["--source", "-o, --output", "--continue", "--api-key", "forward", "turn left", "look up"]) {
    assert.ok(WALK_HELP.includes(word), word);
  }
});
