import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordWriter } from "../../../../lib/world/session/journal/journal_records.ts";
import { SharedReader } from "../../../../lib/world/session/journal/shared_json.ts";
import { readWorld } from "../../../../lib/world/session/journal/read_world.ts";

/** A journal of records, each given as JSON. */
function journal(...texts: readonly string[]): Uint8Array {
  const records = new RecordWriter();
  const parts = [records.start(), ...texts.map((text) => records.record(new TextEncoder().encode(text)))];
  return new Uint8Array(Buffer.concat(parts));
}

const head = { id: "00000000-0000-4000-8000-000000000001", backend: "arworld", created_at: "2026-01-01T00:00:00.000Z" };
const first = JSON.stringify({ record: "world", head });
const image = (session: string) => `{"record":"image","nodes":[],"session":${session}}`;
const list = (item: string, count: number) => `[${new Array(count).fill(item).join()}]`;

test("a journal of more values than a walk has is known to be damaged before anything is made of them", () => {
  assert.equal(readWorld(journal(first), "/").found.state, "whole");
  const shapes: Record<string, string[]> = {
    "items of one list": [image(list("0", 4_100_000))],
    "lists in a list": [image(list("[]", 2_100_000))],
    "lists in lists, over many records": Array.from({ length: 50 }, () => image(list(list("1", 100), 1000))),
    "runs of own files": [`{"record":"own","runs":${list('["move",1,1]', 1_100_000)}}`],
    "levels": [image("[".repeat(5000) + "]".repeat(5000))],
    "numbers in one text": [image(`{"$":"floats","n":"${"A".repeat(2 ** 21)}"}`)],
  };
  for (const [what, texts] of Object.entries(shapes)) {
    const reader = new SharedReader("/");
    // Not by what is found of no use when all of it has been made.
    assert.throws(() => texts.forEach((text) => reader.read(text)), /it has too many (values|levels|numbers)/, what);
    const { found } = readWorld(journal(first, ...texts), "/");
    assert.deepEqual([found.state, found.head?.id, found.image], ["damaged", head.id, undefined], what);
  }
});
