import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compileActions } from "../../../lib/models/actionworld/action_rows.ts";
import { clipPoses } from "../../../lib/world/backends/clip_poses.ts";
import { cameraOfKeys, inverseCamera, unitsOfKeys } from "../../../lib/world/protocol/camera_keys.ts";
import type { CameraRecord } from "../../../lib/world/protocol/job_record.ts";
import {
  KEY_MOTIONS,
  MOTION_TABLE,
  motionKeys,
  type MotionName,
  motionsOf,
  OPPOSITE_KEYS,
  oppositeMotion,
  padKeys,
} from "../../../lib/world/protocol/motion_table.ts";
import { planTransition, stepOfKeys } from "../../../lib/world/protocol/move_plan.ts";
import { type Matrix4, ORIGIN } from "../../../lib/world/protocol/pose.ts";
import { readRolloutRequest } from "../../../lib/world/protocol/requests/rollout_request.ts";
import { readClipRequest } from "../../../lib/world/protocol/requests/clip_request.ts";
import { readTransitionRequest } from "../../../lib/world/protocol/requests/transition_request.ts";
import { parseWalkActions } from "../../../lib/world/protocol/walk_actions.ts";
import { isOpposite } from "../../../lib/world/session/graph/edges.ts";

const names = Object.keys(MOTION_TABLE) as MotionName[];
const moves = [...KEY_MOTIONS.values()];
const negated = (triple: readonly number[]) => triple.map((n) => 0 - n);

test("every row is a motion of its own, or a custom one with a key", () => {
  for (const name of names) {
    const { motion, key } = MOTION_TABLE[name];
    assert.ok(motion === name || (motion === "custom" && key !== undefined), name);
  }
  assert.deepEqual(new Set(motionsOf(true)), new Set(names.map((name) => MOTION_TABLE[name].motion)));
});

test("keys are lower-case letters and the space, each of one move and none of the page's own", () => {
  const keys = names.flatMap((name) => MOTION_TABLE[name].key ?? []);
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) assert.match(key, /^[a-eg-z ]$/); // "f" fills the screen
  assert.deepEqual(motionKeys(true).toSorted(), keys.filter((key) => key !== " ").toSorted());
});

test("places of pads are those of one move each, and an opposite is on the other side", () => {
  const places = moves.flatMap(({ pad }) => pad?.join(" ") ?? []);
  assert.equal(new Set(places).size, places.length);
  for (const pad of ["move", "look"] as const) {
    const [up, left, down, right] = padKeys(pad).map((key) => KEY_MOTIONS.get(key)!);
    assert.deepEqual([up, left].map(({ opposite }) => MOTION_TABLE[opposite!]), [down, right]);
  }
});

test("the opposite of a move goes the other way, and the move is the opposite of that", () => {
  for (const name of names) {
    const { opposite, translation, rotation } = MOTION_TABLE[name];
    if (opposite === undefined) {
      assert.deepEqual([translation, rotation], [[0, 0, 0], [0, 0, 0]], name);
      continue;
    }
    const other = MOTION_TABLE[opposite];
    assert.equal(other.opposite, name);
    assert.equal(opposite === name, translation === undefined, `${name} undoes itself where numbers say what it is`);
    if (translation && rotation) {
      assert.deepEqual([other.translation, other.rotation], [negated(translation), negated(rotation)]);
      assert.notDeepEqual([...translation, ...rotation], [0, 0, 0, 0, 0, 0]);
    }
  }
});

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
const triple = fc.tuple(number, number, number);
const cameras: fc.Arbitrary<CameraRecord> = fc.record({
  motion: fc.constantFrom(...motionsOf(true)),
  translationMeters: triple,
  rotationDegrees: triple,
}, { noNullPrototype: true });

test("inverseCamera() of the inverse is the move, and a session takes both for opposite", () => {
  fc.assert(
    fc.property(cameras, (camera) => {
      const inverse = inverseCamera(camera);
      assert.equal(inverse === undefined, oppositeMotion(camera.motion) === undefined);
      if (inverse === undefined) return;
      assert.deepEqual(inverseCamera(inverse), camera);
      assert.ok(isOpposite(camera, inverse) && isOpposite(inverse, camera));
    }),
    { seed: 38 },
  );
});

test("cameraOfKeys() of a key is its row, and the inverse that of the opposite key", () => {
  for (const { key, motion, translation, rotation, opposite } of moves) {
    const camera = cameraOfKeys(key, { meters: 2, degrees: 5 });
    assert.deepEqual(camera, {
      motion,
      translationMeters: translation.map((n) => n * 2 + 0),
      rotationDegrees: rotation.map((n) => n * 5 + 0),
    });
    const other = opposite && cameraOfKeys(MOTION_TABLE[opposite].key!, { meters: 2, degrees: 5 });
    assert.deepEqual(inverseCamera(camera), other);
  }
});

function nearOrigin(pose: Matrix4, name: string): void {
  pose.forEach((value, i) => assert.ok(Math.abs(value - ORIGIN[i]) < 1e-5, `${name}: [${i}] is ${value}`));
}

const size = { meters: 1, degrees: 15 };

for (const { key, label, opposite } of moves.filter(({ opposite }) => opposite !== undefined)) {
  const back = MOTION_TABLE[opposite!].key!;

  test(`${label} and its opposite end where they began`, () => {
    if (motionKeys(false).includes(key)) {
      const there = planTransition(cameraOfKeys(key), 9, true, ORIGIN).terminalPose;
      assert.notDeepEqual([...there], ORIGIN);
      nearOrigin(planTransition(cameraOfKeys(back), 9, true, there).terminalPose, "arworld");
    }
    const clip = (start: Matrix4, keys: string) => {
      const camera = cameraOfKeys(keys, size);
      const move = { ...camera, direction: MOTION_TABLE[camera.motion].translation };
      return clipPoses(start, compileActions(move, 16)).at(-1)!;
    };
    const there = clip(ORIGIN, key);
    assert.ok(there.some((value, i) => Math.abs(value - ORIGIN[i]) > 0.01));
    nearOrigin(clip(there, back), "actionworld");
  });

  test(`no action has the keys ${key} and ${back}`, () => {
    assert.equal(OPPOSITE_KEYS.filter((pair) => pair.includes(key) && pair.includes(back)).length, 1);
    assert.deepEqual(unitsOfKeys(key + back), { translation: [0, 0, 0], rotation: [0, 0, 0] });
    assert.throws(() => parseWalkActions([key + back]), /are opposite/);
    const rollout = { prompt: "a corridor", action_seq: [key + back], num_output_frames: 3 };
    assert.throws(() => readRolloutRequest(rollout), { param: "action_seq[0]" });
  });
}

test("an arworld does what a key says and takes it for the key's own move", () => {
  for (const key of motionKeys(false)) {
    const { translation, rotation } = KEY_MOTIONS.get(key)!;
    const { right, forward, pitch, yaw } = stepOfKeys(key);
    assert.deepEqual([[right, 0, forward], [pitch, yaw, 0]], [translation, rotation]);
    assert.equal(planTransition(cameraOfKeys(key), 9, true, ORIGIN).action, key);
  }
});

test("requests take every motion and key of the table, and an arworld those that neither rise, sink nor roll", () => {
  const ask = (motion: string) => ({
    prompt: "a corridor",
    camera: { motion, translation_meters: [0, 0, 0], rotation_degrees: [0, 0, 0] },
  });
  for (const motion of motionsOf(true)) {
    assert.equal(readClipRequest(ask(motion)).camera.motion, motion);
    if (motionsOf(false).includes(motion)) assert.equal(readTransitionRequest(ask(motion)).camera.motion, motion);
    else assert.throws(() => readTransitionRequest(ask(motion)), { param: "camera.motion" });
  }
  const all = `expected one of ${motionsOf(true).join(", ")}`;
  assert.throws(() => readClipRequest(ask("fly")), (error: Error) => error.message.includes(all));
  assert.throws(() => readClipRequest(ask("lookUp")), (error: Error) => error.message.includes(all));
  const rollout = (keys: string) => readRolloutRequest({ prompt: "p", action_seq: [keys], num_output_frames: 3 });
  for (const key of motionKeys(false)) assert.deepEqual(rollout(key.toUpperCase()).actions, [key]);
  for (const key of motionKeys(true).filter((key) => !motionKeys(false).includes(key))) {
    assert.throws(() => rollout(key), { param: "action_seq[0]" });
  }
});

test("cameraOfKeys() and walks name the keys that they take", () => {
  const keys = motionKeys(true).join(" ");
  assert.throws(() => cameraOfKeys("?"), (error: Error) => error.message.endsWith(`expected one of ${keys}`));
  assert.throws(
    () => parseWalkActions(["?"]),
    (error: Error) => error.message.includes(`expected a combination of ${keys} such as`),
  );
  assert.deepEqual(parseWalkActions(motionKeys(true)).actions, motionKeys(true));
});
