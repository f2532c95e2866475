import assert from "node:assert/strict";
import { test } from "node:test";
import { show } from "../../lib/errors/show.ts";

test("show() writes JSON, and numbers that JSON has no word for", () => {
  const values = [null, true, -0.5, "a\n\u{1f6aa}", [], [1, [undefined, "x"]], {}, {
    a: { b: [1] },
    c: undefined,
    "": 1,
  }];
  for (const value of values) assert.equal(show(value), JSON.stringify(value));
  assert.deepEqual([NaN, -Infinity, undefined, 7n].map(show), ["NaN", "-Infinity", "undefined", "7"]);
  assert.equal(show(new Date(0)), '"1970-01-01T00:00:00.000Z"');
});

test("show() shortens what is longer than 80 characters, as JSON begins", () => {
  const values = ["x".repeat(79), Array(100).fill(1), { a: "y".repeat(200) }, ["ab".repeat(40)], "\n".repeat(50)];
  for (const value of values) {
    const json = JSON.stringify(value);
    assert.equal(show(value), `${json.slice(0, 77)}...`);
  }
  assert.equal(show("x".repeat(78)), `"${"x".repeat(78)}"`);
});

test("show() looks only at the part of a value that it shows", () => {
  let reads = 0;
  const counted = new Proxy(Array(1e6).fill("item"), {
    get: (items, name) => {
      if (typeof name === "string" && /^\d+$/.test(name)) reads++;
      return Reflect.get(items, name);
    },
  });
  assert.equal(show(counted).length, 80);
  assert.ok(reads < 20, `${reads} items were read`);
  let deep: unknown = 1;
  for (let i = 0; i < 1e5; i++) deep = { a: deep };
  assert.equal(show(deep).length, 80);
});
