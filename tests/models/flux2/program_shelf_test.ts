import assert from "node:assert/strict";
import { test } from "node:test";
import type { Program } from "../../../lib/compute/tensor/mod.ts";
import { ProgramShelf } from "../../../lib/models/image_pipeline/program_shelf.ts";

function shelfOf(limit: number) {
  const alive = new Set<string>();
  const shelf = new ProgramShelf(limit);
  const get = (kind: string, key: string, kept: number, compiling = kept) =>
    shelf.get(kind, key, { kept, compiling }, () => {
      const name = `${kind} ${key}`;
      alive.add(name);
      const program = {
        inputs: new Map(),
        outputs: new Map(),
        run: () => Promise.resolve({}),
        dispose: () => void alive.delete(name),
      };
      return Promise.resolve(program as Program);
    });
  return { shelf, get, alive: () => [...alive].join() };
}

test("ProgramShelf keeps one program of each kind and compiles it once", async () => {
  const { shelf, get, alive } = shelfOf(100);
  const first = await get("a", "1", 30);
  assert.equal(await get("a", "1", 30), first);
  assert.notEqual(await get("a", "2", 40), first);
  await get("b", "1", 30);
  assert.equal(alive(), "a 2,b 1");
  assert.equal(shelf.bytes, 70);
  shelf.dispose();
  assert.equal(alive(), "");
});

test("ProgramShelf releases what was used longest ago when another does not fit", async () => {
  const { get, alive } = shelfOf(100);
  await get("a", "1", 40);
  await get("b", "1", 40);
  await get("a", "1", 40);
  await get("c", "1", 30);
  assert.equal(alive(), "a 1,c 1");
  await get("d", "1", 10, 60);
  assert.equal(alive(), "c 1,d 1", "what compiling takes counts too");
});

test("ProgramShelf says whether a program fits beside those of other kinds", async () => {
  const { shelf, get } = shelfOf(100);
  await get("a", "1", 60);
  await get("b", "1", 30);
  assert.ok(shelf.fits("b", 40));
  assert.ok(!shelf.fits("b", 41));
  assert.ok(!shelf.fits("c", 11));
});

test("ProgramShelf forgets a program that could not be compiled", async () => {
  const { shelf, get } = shelfOf(100);
  await get("a", "1", 60);
  const failing = shelf.get("a", "2", { kept: 60, compiling: 60 }, () => Promise.reject(new Error("no")));
  await assert.rejects(failing, /no/);
  assert.equal(shelf.bytes, 0);
  await get("a", "2", 60);
});
