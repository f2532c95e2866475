import assert from "node:assert/strict";
import { test } from "node:test";
import { readRolloutRequest } from "../../../../lib/world/protocol/requests/rollout_request.ts";
import { SvcError } from "../../../../lib/errors/svc_error.ts";

const GOOD = { prompt: "a corridor", action_seq: ["w"] };

function refusal(body: unknown): { code: string; param: string | undefined; message: string } {
  try {
    readRolloutRequest(body);
  } catch (error) {
    assert.ok(error instanceof SvcError);
    assert.equal(error.type, "invalid_request_error");
    return { code: error.code, param: error.param, message: error.message };
  }
  assert.fail(`${JSON.stringify(body)} was accepted`);
}

test("readRolloutRequest() fills in what a request leaves out", () => {
  assert.deepEqual(readRolloutRequest({ prompt: " a corridor\n", action_seq: ["W", " "] }), {
    prompt: "a corridor",
    actions: ["w", " "],
    weights: [1, 1],
    sourceImage: undefined,
    width: undefined,
    height: undefined,
    latentFrames: 21,
    speed: 1.5,
    seed: 42n,
    fps: undefined,
    output: undefined,
  });
});

test("readRolloutRequest() reads every field in both spellings", () => {
  const snake = {
    prompt: "p",
    action_seq: ["wl", "dj"],
    action_speed_list: [4, 6.5],
    source_image: "a.png",
    width: 96,
    height: 64,
    num_output_frames: 252,
    speed: 0.5,
    seed: "18446744073709551615",
    fps: 24,
    output: "b.mp4",
  };
  const camel = Object.fromEntries(
    Object.entries(snake).map(([key, value]) => [key.replace(/_(.)/g, (_, c) => c.toUpperCase()), value]),
  );
  assert.deepEqual(readRolloutRequest(camel), readRolloutRequest(snake));
  assert.equal(readRolloutRequest(snake).seed, 18446744073709551615n);
});

const refused: [name: string, body: unknown, code: string, param: string | undefined][] = [
  ["no object", [], "invalid_json", undefined],
  ["null", null, "invalid_json", undefined],
  ["prompt missing", { action_seq: ["w"] }, "missing_field", "prompt"],
  ["prompt null", { ...GOOD, prompt: null }, "wrong_type", "prompt"],
  ["prompt empty", { ...GOOD, prompt: " \n" }, "invalid_prompt", "prompt"],
  ["action_seq missing", { prompt: "p" }, "missing_field", "action_seq"],
  ["action_seq no array", { ...GOOD, action_seq: "w" }, "wrong_type", "action_seq"],
  ["action_seq empty", { ...GOOD, action_seq: [] }, "invalid_action_seq", "action_seq"],
  ["action no string", { ...GOOD, action_seq: ["w", 1] }, "wrong_type", "action_seq[1]"],
  ["action empty", { ...GOOD, action_seq: [""] }, "invalid_action_seq", "action_seq[0]"],
  ["action with another key", { ...GOOD, action_seq: ["w", "wx"] }, "invalid_action_seq", "action_seq[1]"],
  ["action with a tab", { ...GOOD, action_seq: ["w\t"] }, "invalid_action_seq", "action_seq[0]"],
  ["action w and s", { ...GOOD, action_seq: ["ws"] }, "invalid_action_seq", "action_seq[0]"],
  ["action d and a", { ...GOOD, action_seq: ["dwa"] }, "invalid_action_seq", "action_seq[0]"],
  ["action k and i", { ...GOOD, action_seq: ["ki"] }, "invalid_action_seq", "action_seq[0]"],
  ["action j and l", { ...GOOD, action_seq: ["j l"] }, "invalid_action_seq", "action_seq[0]"],
  ["speeds too few", { ...GOOD, action_speed_list: [] }, "invalid_action_speed_list", "action_speed_list"],
  ["speeds too many", { ...GOOD, action_speed_list: [1, 2] }, "invalid_action_speed_list", "action_speed_list"],
  ["speed list no numbers", { ...GOOD, action_speed_list: ["1"] }, "wrong_type", "action_speed_list[0]"],
  ["speed of an action 0", { ...GOOD, action_speed_list: [0] }, "invalid_action_speed_list", "action_speed_list[0]"],
  ["speed of an action -1", { ...GOOD, action_speed_list: [-1] }, "invalid_action_speed_list", "action_speed_list[0]"],
  [
    "speeds with an infinite sum",
    { ...GOOD, action_seq: ["w", "w"], action_speed_list: [1e308, 1e308] },
    "invalid_action_speed_list",
    "action_speed_list",
  ],
  ["width 0", { ...GOOD, width: 0 }, "invalid_width", "width"],
  ["width -32", { ...GOOD, width: -32 }, "invalid_width", "width"],
  ["width 100", { ...GOOD, width: 100 }, "invalid_width", "width"],
  ["width 1312", { ...GOOD, width: 1312 }, "invalid_width", "width"],
  ["width text", { ...GOOD, width: "96" }, "wrong_type", "width"],
  ["height 720", { ...GOOD, height: 720 }, "invalid_height", "height"],
  ["height 736, a portrait", { ...GOOD, width: 704, height: 1280 }, "invalid_height", "height"],
  ["height 33.5", { ...GOOD, height: 33.5 }, "invalid_height", "height"],
  ["frames 0", { ...GOOD, num_output_frames: 0 }, "invalid_num_output_frames", "num_output_frames"],
  ["frames 20", { ...GOOD, num_output_frames: 20 }, "invalid_num_output_frames", "num_output_frames"],
  ["frames 255", { ...GOOD, num_output_frames: 255 }, "invalid_num_output_frames", "num_output_frames"],
  [
    "more actions than frames",
    { ...GOOD, action_seq: Array(10).fill("w"), num_output_frames: 3 },
    "invalid_action_seq",
    "action_seq",
  ],
  ["speed 0", { ...GOOD, speed: 0 }, "invalid_speed", "speed"],
  ["speed -1", { ...GOOD, speed: -1 }, "invalid_speed", "speed"],
  ["speed text", { ...GOOD, speed: "fast" }, "wrong_type", "speed"],
  ["fps 0", { ...GOOD, fps: 0 }, "invalid_fps", "fps"],
  ["fps 16.5", { ...GOOD, fps: 16.5 }, "invalid_fps", "fps"],
  ["fps 241", { ...GOOD, fps: 241 }, "invalid_fps", "fps"],
  ["seed -1", { ...GOOD, seed: -1 }, "invalid_seed", "seed"],
  ["seed 1.5", { ...GOOD, seed: 1.5 }, "invalid_seed", "seed"],
  ["seed 2^53", { ...GOOD, seed: 2 ** 53 }, "invalid_seed", "seed"],
  ["seed 2^64", { ...GOOD, seed: "18446744073709551616" }, "invalid_seed", "seed"],
  ["seed hexadecimal", { ...GOOD, seed: "0xff" }, "invalid_seed", "seed"],
  ["seed empty", { ...GOOD, seed: "" }, "invalid_seed", "seed"],
  ["seed true", { ...GOOD, seed: true }, "wrong_type", "seed"],
  ["source_image empty", { ...GOOD, source_image: "" }, "invalid_source_image", "source_image"],
  ["source_image with a zero byte", { ...GOOD, source_image: "a\0b" }, "invalid_source_image", "source_image"],
  ["output no text", { ...GOOD, output: 1 }, "wrong_type", "output"],
  ["both spellings", { ...GOOD, num_output_frames: 3, numOutputFrames: 3 }, "duplicate_field", "num_output_frames"],
  ["an unknown field", { ...GOOD, guidance_scale: 5 }, "unknown_field", "guidance_scale"],
  ["a prototype", JSON.parse('{"prompt":"p","action_seq":["w"],"__proto__":{}}'), "unknown_field", "__proto__"],
];

for (const [name, body, code, param] of refused) {
  test(`readRolloutRequest() refuses a body when it has: ${name}`, () => {
    const found = refusal(body);
    assert.deepEqual([found.code, found.param], [code, param]);
    assert.match(found.message, /^Cannot start a rollout: .*[^.]$/);
  });
}

test("readRolloutRequest() accepts the bounds themselves", () => {
  const bounds = [
    { width: 1280, height: 704 },
    { width: 32, height: 32 },
    { num_output_frames: 3, action_seq: Array(9).fill("w") },
    { num_output_frames: 252, fps: 240 },
    { seed: 2 ** 53 - 1 },
    { seed: "0" },
    { seed: "18446744073709551615" },
    { action_seq: ["wdlk", "   "], action_speed_list: [1e-300, 1e300] },
  ];
  for (const bound of bounds) readRolloutRequest({ ...GOOD, ...bound });
});

test("readRolloutRequest() names the field that an unknown one means", () => {
  assert.match(refusal({ ...GOOD, numOutputFrame: 3 }).message, /did you mean "num_output_frames"\?/);
  assert.match(refusal({ ...GOOD, temperature: 3 }).message, /expected one of prompt, action_seq/);
});

// @row world-session > Rollout > Order of violations
test("readRolloutRequest() reports wrong types first, then rules in the order of the contract", () => {
  const rules = {
    prompt: "",
    action_seq: ["x"],
    action_speed_list: [1, 1],
    width: 1,
    height: 1,
    num_output_frames: 1,
    speed: -1,
    fps: 0,
    seed: -1,
  };
  assert.equal(refusal({ ...rules, fps: "16" }).param, "fps");
  const fixes: [string, unknown][] = [
    ["prompt", "p"],
    ["action_seq[0]", ["w"]],
    ["action_speed_list", [1]],
    ["width", 96],
    ["height", 64],
    ["num_output_frames", 3],
    ["speed", 1],
    ["fps", 16],
    ["seed", 1],
  ];
  const body: Record<string, unknown> = { ...rules };
  const later: (string | undefined)[] = [];
  for (const [param, value] of fixes) {
    later.push(refusal(body).param);
    body[param.replace("[0]", "")] = value;
  }
  assert.deepEqual(later, fixes.map(([param]) => param));
  readRolloutRequest(body);
});
