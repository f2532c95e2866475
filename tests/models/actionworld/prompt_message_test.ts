import { test } from "node:test";
import assert from "node:assert/strict";
import { actionMessage, chatText } from "../../../lib/models/actionworld/prompt_message.ts";

const clip = { prompt: "a hall", frames: 17, fps: 30, width: 320, height: 176 };

test("actionMessage() is JSON with a blank after every comma and colon", () => {
  const message = actionMessage(clip);
  assert.deepEqual(JSON.parse(message), {
    cinematography: { framing: "This video is captured from a first-person perspective looking at the scene." },
    actions: [{ time: "0:00-0:01", description: "a hall." }],
    duration: "0s",
    fps: 30,
    resolution: { H: 176, W: 320 },
    aspect_ratio: "16,9",
  });
  assert.match(message, /"duration": "0s", "fps": 30\.0, "resolution": \{"H": 176, "W": 320\}/);
});

test("actionMessage() ends a prompt with a full stop unless it has an end", () => {
  const described = (prompt: string) => JSON.parse(actionMessage({ ...clip, prompt })).actions[0].description;
  assert.deepEqual(["  run ", "run!", "run?", "run.", " "].map(described), ["run.", "run!", "run?", "run.", ""]);
});

test("actionMessage() writes ASCII only and is read back unchanged", () => {
  const prompt = '"é\n\t\\ 東 🚪 \x7f';
  const message = actionMessage({ ...clip, prompt });
  assert.match(message, /^[\x20-\x7e]*$/);
  assert.equal(JSON.parse(message).actions[0].description, `${prompt}.`);
  assert.match(message, /\\u00e9\\n\\t/);
  assert.match(message, /\\ud83d\\udeaa \\u007f/);
});

test("actionMessage() rounds halves of a second to even and counts minutes", () => {
  const time = (frames: number) => JSON.parse(actionMessage({ ...clip, frames, fps: 2 })).actions[0].time;
  assert.deepEqual([1, 3, 5, 125, 241].map(time), ["0:00-0:00", "0:00-0:02", "0:00-0:02", "0:00-1:02", "0:00-2:00"]);
});

test("actionMessage() names the nearest of five aspect ratios", () => {
  const ratio = (width: number, height: number) => JSON.parse(actionMessage({ ...clip, width, height })).aspect_ratio;
  assert.deepEqual(
    [ratio(64, 64), ratio(320, 256), ratio(256, 320), ratio(832, 480), ratio(64, 128)],
    ["1,1", "4,3", "3,4", "16,9", "9,16"],
  );
});

test("chatText() holds the message between an empty system message and the beginning of an answer", () => {
  assert.equal(
    chatText("m"),
    "<|im_start|>system\n<|im_end|>\n<|im_start|>user\nm<|im_end|>\n<|im_start|>assistant\n<think>\n",
  );
});
