import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckpointRecord, StateRecord, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { stateLabel } from "../../world-page/map/state_labels.ts";

const state = (stateId: string, retained: boolean, parentStateId?: string): StateRecord => ({
  stateId,
  transitionIndex: parentStateId === undefined ? 0 : 3,
  depth: 0,
  retained,
  ...(parentStateId !== undefined && { parentStateId }),
});
const snapshot = { currentStateId: "here", stateIds: ["root", "here"] } as unknown as WorldSnapshot;
const checkpoint = { stateId: "locked", name: "Door" } as CheckpointRecord;

test("stateLabel() says how a state can be reached", () => {
  const ways = new Set(["root"]);
  const words = (of: StateRecord) => stateLabel(of, snapshot, [checkpoint], ways);
  assert.deepEqual(words(state("here", true, "root")), { text: "State 3, you are here", reach: "here" });
  assert.deepEqual(words(state("root", true)), {
    text: "Start, can be returned to",
    action: "walk back to it",
    reach: "back",
  });
  assert.deepEqual(words(state("locked", true, "root")), {
    text: "State 3, saved as Door",
    action: "return to it",
    reach: "saved",
    checkpoint,
  });
  const passed = stateLabel(state("root", false), snapshot, [], new Set());
  assert.deepEqual(passed, { text: "Start, cannot be returned to", reach: "none" });
  assert.deepEqual(words(state("branch", true, "root")), { text: "State 3, can be returned to", reach: "none" });
});
