import assert from "node:assert/strict";
import { test } from "node:test";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as jobs from "../../lib/world/protocol/job_schemas.ts";
import * as records from "../../lib/world/protocol/wire_schemas.ts";
import { walkSchema } from "../../lib/world/protocol/walk_schema.ts";
import { fromWire, memberName, toWire, wireName } from "../../lib/json/wire_form.ts";
import { worldSchema } from "../../lib/world/protocol/world_record.ts";

/** Every name of an object in a JSON Schema, at any depth. */
function namesOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...key === "properties" ? Object.keys(value) : [],
    ...namesOf(value),
  ]);
}

const schemas = { ...jobs, ...records, walkSchema, worldSchema };

for (const [title, schema] of Object.entries(schemas)) {
  test(`every name of ${title} becomes a member and the same name again`, () => {
    const written = toJsonSchema(schema, { errorMode: "ignore" });
    for (const name of namesOf(written)) {
      assert.equal(wireName(memberName(name)), name);
      assert.doesNotMatch(memberName(name), /_/);
    }
    assert.doesNotMatch(JSON.stringify(written), /"additionalProperties":(true|\{)/, "a name that is data");
  });
}

test("toWire() and fromWire() rename at every depth and keep values, order, arrays and what is missing", () => {
  const member = {
    stateIds: ["a_b", "cD"],
    activeJob: { jobId: "x", progress: undefined, chunks: [{ pixelFrameRange: [0, 9], mediaPath: "/v1/a_b" }] },
    continuity: null,
    seed: "18446744073709551615",
  };
  const wire = {
    state_ids: ["a_b", "cD"],
    active_job: { job_id: "x", progress: undefined, chunks: [{ pixel_frame_range: [0, 9], media_path: "/v1/a_b" }] },
    continuity: null,
    seed: "18446744073709551615",
  };
  assert.deepEqual(toWire(member), wire);
  assert.equal(JSON.stringify(toWire(member)), JSON.stringify(wire));
  assert.deepEqual(fromWire(wire), member);
});

test("fromWire() takes names of a stranger's answer as names, whatever they are", () => {
  const read = fromWire<object>(JSON.parse('{"__proto__":{"a_b":1},"constructor":{"to_string":2},"_x":3,"y_":4}'));
  assert.equal(Object.getPrototypeOf(read), Object.prototype);
  assert.equal(({} as { aB?: number }).aB, undefined);
});

test("toWire() and fromWire() read a large record in a time that grows with it", () => {
  const of = (states: number) => ({
    states: Array.from({ length: states }, (_, i) => ({ stateId: `${i}`, transitionIndex: i, pose: [i] })),
  });
  const record = of(20_000);
  assert.deepEqual(fromWire(toWire(record)), record);
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field_${i}_name`, i]));
  assert.equal(Object.keys(fromWire<object>(unknown as never)).length, 20_000);
});
