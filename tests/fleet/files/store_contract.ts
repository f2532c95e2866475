import assert from "node:assert/strict";
import type { CollectableBlobs } from "../../../fleet/files/blob_store.ts";

const listed = async (store: CollectableBlobs): Promise<string[]> => {
  const names: string[] = [];
  for await (const { sha256 } of store.list()) names.push(sha256);
  return names.sort();
};

/** What every store of blobs does; the store is empty before, and has the second blob after. */
export async function checkBlobStore(store: CollectableBlobs): Promise<void> {
  const [a, b] = ["a".repeat(64), "b".repeat(64)];
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  assert.equal(await store.find(a), undefined);
  assert.equal(await store.get(a), undefined);
  assert.deepEqual(await listed(store), []);
  await store.put(a, bytes);
  await store.put(b, bytes.subarray(1));
  const first = (await store.find(a))!;
  assert.deepEqual([first.sha256, first.size], [a, bytes.length]);
  assert.ok(Math.abs(first.written - Date.now()) < 60_000);
  assert.deepEqual(await listed(store), [a, b]);
  do await store.put(a, bytes); while ((await store.find(a))?.version === first.version); // files have times of a tick
  assert.equal(await store.remove(first), false, "it was put again");
  assert.deepEqual(new Uint8Array(await store.get(a) ?? []), bytes);
  const second = (await store.find(a))!;
  assert.ok(second.written >= first.written && second.version !== first.version);
  assert.deepEqual(await Promise.all([store.remove(second), store.remove(second)]).then((all) => all.sort()), [
    false,
    true,
  ]);
  assert.deepEqual([await store.get(a), await store.find(a), await store.remove(second)], [
    undefined,
    undefined,
    false,
  ]);
  assert.deepEqual(await listed(store), [b]);
  await store.put(a, bytes);
  assert.deepEqual(new Uint8Array(await store.get(a) ?? []), bytes, "it can be written again");
  assert.equal(await store.remove((await store.find(a))!), true);
  assert.deepEqual([await listed(store), (await store.get(b))?.length], [[b], bytes.length - 1]);
}
