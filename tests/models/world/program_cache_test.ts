import { test } from "node:test";
import assert from "node:assert/strict";
import { ProgramCache } from "../../../lib/models/world/program_cache.ts";
import type { Program } from "../../../lib/compute/tensor/mod.ts";

function fake(name: string, log: string[]): () => Promise<Program> {
  return () => {
    log.push(`compile ${name}`);
    const none = new Map();
    const run = () => Promise.resolve({});
    return Promise.resolve({ inputs: none, outputs: none, run, dispose: () => void log.push(`dispose ${name}`) });
  };
}

test("ProgramCache.get() compiles once and gives up the program that was used longest ago", async () => {
  const log: string[] = [];
  const cache = new ProgramCache(2);
  const ask = (name: string) => cache.get(name, fake(name, log));
  const a = await ask("a");
  await ask("b");
  assert.equal(await ask("a"), a);
  await ask("c");
  await ask("a");
  await Promise.resolve();
  assert.deepEqual(log, ["compile a", "compile b", "compile c", "dispose b"]);
  cache.dispose();
  await Promise.resolve();
  assert.deepEqual(log.slice(4).sort(), ["dispose a", "dispose c"]);
});

test("ProgramCache.get() retries a failed compilation", async () => {
  const cache = new ProgramCache(1);
  await assert.rejects(cache.get("a", () => Promise.reject(new Error("no"))), /no/);
  const log: string[] = [];
  await cache.get("a", fake("a", log));
  assert.deepEqual(log, ["compile a"]);
});
