import assert from "node:assert/strict";
import { test } from "node:test";
import { type CollectableBlobs, collectBlobs, type StoredBlob } from "../../../fleet/files/blob_store.ts";
import { randomFrom, VirtualClock } from "../simulation/virtual_clock.ts";

const GRACE = 10_000;

/** Worlds that write blobs, name them a while later and forget them, while collections begin and are killed. */
async function play(seed: number): Promise<{ wrong: string[]; removed: number }> {
  const clock = new VirtualClock();
  const random = randomFrom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const wrong: string[] = [];
  const blobs = new Map<string, StoredBlob>();
  const named = new Map<string, Set<string>>();
  let versions = 0;
  let removed = 0;
  const latency = (): Promise<void> => clock.wait(random() * 50);
  const store = (isDead: () => boolean): CollectableBlobs => {
    const alive = async (): Promise<void> => {
      await latency();
      if (isDead()) await new Promise(() => {});
    };
    return {
      async put(sha256) {
        await latency();
        blobs.set(sha256, { sha256, size: 1, written: clock.now(), version: String(++versions) });
      },
      get: () => Promise.resolve(undefined),
      async *list() {
        for (const sha256 of [...blobs.keys()]) {
          if (random() < 0.2) await alive();
          const blob = blobs.get(sha256);
          if (blob) yield blob;
        }
      },
      find: (sha256) => Promise.resolve(blobs.get(sha256)),
      async remove({ sha256, version }) {
        await alive();
        if (blobs.get(sha256)?.version !== version) return false;
        for (const [world, names] of named) if (names.has(sha256)) wrong.push(`${seed}: ${world} has lost ${sha256}`);
        blobs.delete(sha256);
        removed++;
        return true;
      },
    };
  };
  const world = async (id: string): Promise<void> => {
    const names = new Set<string>();
    named.set(id, names);
    while (clock.now() < 120_000) {
      const blob = `blob-${below(12)}`; // worlds share pictures
      await store(() => false).put(blob, new Uint8Array());
      await clock.wait(random() * GRACE * 0.9);
      names.add(blob);
      await clock.wait(random() * 8000);
      if (random() < 0.7) names.delete([...names][below(names.size)]);
    }
    named.delete(id);
  };
  const collection = (dies: number) =>
    collectBlobs({
      store: store(() => clock.now() >= dies),
      names: async function* () {
        for (const id of [...named.keys()]) {
          await latency();
          yield* [...named.get(id) ?? []];
        }
      },
      now: clock.now(),
      grace: GRACE,
    });
  const collect = async (): Promise<void> => {
    while (clock.now() < 120_000) {
      await clock.wait(random() * 6000);
      void collection(random() < 0.3 ? clock.now() + random() * 400 : Infinity);
    }
  };
  for (let i = 0; i < 4; i++) void world(`world-${i}`);
  void collect();
  void clock.wait(160_000);
  await clock.run(() => false, 160_000);
  let isDone = false;
  const last = collection(Infinity).then(() => isDone = true);
  await clock.run(() => isDone, 200_000);
  await last;
  for (const sha256 of blobs.keys()) wrong.push(`${seed}: nobody has ${sha256}, and it is there`);
  return { wrong, removed };
}

test("a blob that is named is never removed, and one that nobody names is in the end", async () => {
  let removed = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const played = await play(seed);
    assert.deepEqual(played.wrong, []);
    removed += played.removed;
  }
  assert.ok(removed > 100, String(removed));
});

test("where the names cannot all be read, nothing is removed", async () => {
  const blob = { sha256: "a", size: 3, written: 0, version: "1" };
  const store = {
    put: () => Promise.resolve(),
    get: () => Promise.resolve(undefined),
    find: () => Promise.resolve(blob),
    remove: () => Promise.reject(new Error("removed")),
    async *list() {
      await Promise.resolve();
      yield blob;
    },
  };
  const names = async function* () {
    yield await Promise.resolve("b");
    throw new Error("a journal is damaged");
  };
  await assert.rejects(collectBlobs({ store, names, now: 1e6, grace: 0 }), /a journal is damaged/);
  const none = async function* () {
    yield await Promise.resolve("b");
  };
  const counted = await collectBlobs({ store, names: none, now: 1e6, grace: 0, dryRun: true });
  assert.deepEqual(counted, { blobs: 1, removed: 1, bytes: 3 });
  assert.equal((await collectBlobs({ store, names: none, now: 1e6, grace: 2e6 })).removed, 0);
});
