import assert from "node:assert/strict";
import { test } from "node:test";
import { cameraOfKeys, MOVE_SIZE } from "../../lib/world/protocol/camera_keys.ts";
import { readWalkCommand } from "../../cli/walk/walk_options.ts";
import type { WalkRecord } from "../../lib/world/protocol/walk_record.ts";
import type { RolloutRequestBody, TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";
import { walkScript } from "../../world-page/session/walk_script.ts";

const SERVER = "http://127.0.0.1:8791";
const FORMAT = { prompt: "a corridor", numFrames: 9, width: 192, height: 128, fps: 16, seed: 42 };

function move(keys: string, fields: Partial<TransitionRequestBody> = {}): TransitionRequestBody {
  return { ...FORMAT, camera: cameraOfKeys(keys), ...fields };
}

/** The scripts of a walk with these moves. */
function scripts(requests: readonly (TransitionRequestBody | RolloutRequestBody | undefined)[], source = "/s/a.png") {
  const states = requests.map((request, i) => ({
    stateId: `s${i + 1}`,
    parentStateId: `s${i}`,
    move: { kind: "transition", positions: [], ...(request && { request }) },
  }));
  const walk = { sourcePath: source, states: [{ stateId: "s0" }, ...states] } as unknown as WalkRecord;
  return walkScript(walk, walk.states.map(({ stateId }) => stateId), SERVER);
}

/** The words of a command as a POSIX shell has them. */
function shellWords(command: string): string[] {
  const text = command.replaceAll("\\\n", "");
  return [...text.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(.)/g, (_all, quoted?: string, escaped?: string) => quoted ?? escaped ?? "")
  );
}

test("walkScript() says a walk by keys as a command that means the same", () => {
  const keys = ["w", "wl", "sai", " ", "k", "w"];
  const prompt = 'it\'s a $HOME `of` "quotes"; & more';
  const { command } = scripts(keys.map((word) => move(word, { prompt })), "/state dir/source-0001.png");
  const [npm, start, silent, dashes, world, walk, ...args] = shellWords(command!);
  assert.deepEqual([npm, start, silent, dashes, world, walk], ["npm", "start", "--silent", "--", "world", "walk"]);
  const { url, request } = readWalkCommand(args);
  assert.equal(url, SERVER);
  const { actions } = request!.walk;
  assert.deepEqual(actions.map((word) => cameraOfKeys(word)), keys.map((word) => cameraOfKeys(word)));
  assert.deepEqual([request?.moves, request?.source, request?.prompt], [
    { numFrames: 9 },
    "/state dir/source-0001.png",
    prompt,
  ]);
  assert.deepEqual(request?.rollout, { seed: "42", fps: 16, width: 192, height: 128 });
});

test("walkScript() says a prompt that looks like a flag", () => {
  const { command } = scripts([move("w", { prompt: "--force, -x" })]);
  const [, , , , , , ...args] = shellWords(command!);
  const { request } = readWalkCommand(args);
  assert.deepEqual([request?.prompt, request?.force], ["--force, -x", false]);
});

const rollout: RolloutRequestBody = { prompt: "p", actionSeq: ["w"], numOutputFrames: 3, width: 64, height: 32 };
const programs: [what: string, requests: readonly (TransitionRequestBody | RolloutRequestBody)[]][] = [
  ["a rollout", [move("w"), rollout]],
  ["moves of another size", [{ ...FORMAT, camera: cameraOfKeys("w", { ...MOVE_SIZE, meters: 0.5 }) }]],
  ["seeds that change", [move("w"), move("w", { seed: "18446744073709551615" })]],
  ["a move after its inverse", [move("w"), move("s")]],
  ["frames that change", [move("w"), move("w", { numFrames: 21 })]],
  ["steps", [move("w", { steps: 3 })]],
  ["rows", [move("w", { modelSpaceActions: [[0, 0, 1, 1, 0, 0, 0, 1, 0]] })]],
  ["opposite directions at once", [{
    ...FORMAT,
    camera: { ...cameraOfKeys("w"), motion: "custom", translationMeters: [0, 0, 0] },
  }]],
  ["a size that the command does not take", [move("w", { width: 80 })]],
  ["more moves than a command takes", Array.from({ length: 85 }, () => move("w"))],
];
for (const [what, requests] of programs) {
  test(`walkScript() says ${what} as a program only`, () => {
    const { command, program } = scripts(requests);
    assert.equal(command, undefined);
    assert.equal(program!.match(/await made\(/g)?.length, requests.length);
    for (const request of requests) assert.ok(program!.includes(JSON.stringify(request)));
  });
}

test("walkScript() says nothing of a walk whose requests, image or moves are not known", () => {
  assert.deepEqual(scripts([move("w"), undefined]), {});
  assert.deepEqual(scripts([]), {});
  const walk = { states: [{ stateId: "a" }] } as unknown as WalkRecord;
  assert.deepEqual(walkScript(walk, ["a", "b"], SERVER), {});
});
