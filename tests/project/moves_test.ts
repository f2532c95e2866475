import assert from "node:assert/strict";
import { unpackText } from "../../lib/http/packed_text.ts";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { WALK_HELP } from "../../cli/walk/walk_options.ts";
import { packedOpenApi } from "../../lib/world/http/openapi.generated.ts";
import { KEY_MOTIONS, MOTION_TABLE, motionKeys, motionsOf } from "../../lib/world/protocol/motion_table.ts";
import { WITH_MOVES } from "../../scripts/generate_moves.ts";
import { MOVES } from "../../world-page/moves/moves.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const description = JSON.parse(await unpackText(packedOpenApi));
const schemas = description.components.schemas;

for (const [path, write] of Object.entries(WITH_MOVES)) {
  test(`${path} has the moves of the table`, () => {
    assert.ok(read(path) === write(read(path)), "run node --import tsx scripts/generate_moves.ts");
  });
}

test("the page has one button for each move with a key", () => {
  const buttons = [...read("world-page/index.html").matchAll(/data-move="(\w+)"/g)].map(([, name]) => name);
  const withKey = Object.entries(MOTION_TABLE).filter(([, { key }]) => key !== undefined).map(([name]) => name);
  assert.deepEqual(buttons.toSorted(), withKey.toSorted());
  assert.deepEqual(Object.keys(MOVES).toSorted(), withKey.toSorted());
});

test("the API description has exactly the motions and keys of the table", () => {
  assert.deepEqual(schemas.CameraRecord.properties.motion.enum, motionsOf(true));
  assert.deepEqual(schemas.TransitionRequest.properties.camera.properties.motion.enum, motionsOf(true));
  const action = new RegExp(schemas.RolloutRequest.properties.action_seq.items.pattern);
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  assert.deepEqual(letters.filter((key) => action.test(key)), motionKeys(false).toSorted());
  assert.deepEqual(letters.filter((key) => action.test(key.toUpperCase())), motionKeys(false).toSorted());
  const { description: text } = description.paths["/v1/world/session/rollouts"].post;
  for (const key of motionKeys(false)) {
    assert.ok(text.includes(`${key} (${KEY_MOTIONS.get(key)!.label.toLowerCase()})`), key);
  }
});

test("svc world walk --help names every key and what it does", () => {
  const named = [...WALK_HELP.matchAll(/ {2}([a-z]) {2}(\w+(?: \w+)?)/g)].map(([, key, label]) => [key, label]);
  assert.deepEqual(named, motionKeys(true).map((key) => [key, KEY_MOTIONS.get(key)!.label.toLowerCase()]));
});

test("keys that prose names are those of the table", () => {
  const lists = [
    "README.md",
    "docs/world-session.md",
    "lib/world/host/world.ts",
    "models/corridor-nano/README.md",
  ].flatMap((path) => [...read(path).matchAll(/`([a-z](?: [a-z])+)`/gi)].map(([, keys]) => [path, keys]));
  assert.ok(lists.length >= 4);
  for (const [path, keys] of lists) {
    const unknown = keys.toLowerCase().split(" ").filter((key) => !motionKeys(true).includes(key));
    assert.deepEqual(unknown, [], `${path} names \`${keys}\``);
  }
});
