import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckpointRecord, StateRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { placeWords } from "../../world-page/place_names.ts";

const state = (state_id: string, retained: boolean, parent_state_id?: string): StateRecord => ({
  state_id,
  transition_index: parent_state_id === undefined ? 0 : 3,
  depth: 0,
  retained,
  ...(parent_state_id !== undefined && { parent_state_id }),
});
const snapshot = { current_state_id: "here", state_ids: ["root", "here"] } as unknown as WorldSnapshot;
const lock = { state_id: "locked", name: "Door" } as CheckpointRecord;

test("placeWords() tells how a place can be reached", () => {
  const ways = new Set(["root"]);
  const words = (of: StateRecord) => placeWords(of, snapshot, [lock], ways);
  assert.deepEqual(words(state("here", true, "root")), { text: "Place 3, you are here", reach: "here" });
  assert.deepEqual(words(state("root", true)), {
    text: "Start, can be returned to",
    action: "walk back to it",
    reach: "back",
  });
  assert.deepEqual(words(state("locked", true, "root")), {
    text: "Place 3, locked as Door",
    action: "return to it",
    reach: "lock",
    lock,
  });
  const passed = placeWords(state("root", false), snapshot, [], new Set());
  assert.deepEqual(passed, { text: "Start, only passed", reach: "none" });
  assert.deepEqual(words(state("branch", true, "root")), { text: "Place 3, can be returned to", reach: "none" });
});
