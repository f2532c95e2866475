import assert from "node:assert/strict";
import { test } from "node:test";
import { FleetFiles } from "../../../fleet/worker/fleet_files.ts";
import type { StateFiles } from "../../../lib/world/session/journal/chain_node.ts";

const local: StateFiles = {
  write: () => Promise.resolve(),
  read: () => Promise.resolve(undefined),
  remove: () => Promise.resolve(),
  list: () => Promise.resolve([]),
};
const noRoom = Object.assign(new Error("no space left on device"), { code: 10077 });
const diskFull = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

/** Files whose blobs cannot be written `failures` times; how often it was tried. */
function filesWith(error: Error, failures: number) {
  const ended = new AbortController();
  const tries = { count: 0 };
  const files = new FleetFiles({
    blobs: {
      put: () => ++tries.count > failures ? Promise.resolve() : Promise.reject(error),
      get: () => Promise.resolve(undefined),
    },
    root: "/world",
    known: new Map(),
    clock: {
      now: () => 0,
      wait: () => {
        if (tries.count === 1000) ended.abort();
        return Promise.resolve();
      },
    },
    ended: ended.signal,
  });
  return { files, tries };
}

test("a file is written in the end though the broker has no room for long", async () => {
  const { files, tries } = filesWith(noRoom, 100);
  await files.states(local).write("state", new Uint8Array(3));
  const { files: changed } = await files.changes();
  assert.deepEqual(changed.map(([name, { size }]) => [name, size]), [["journal/state", 3]]);
  assert.equal(tries.count, 101);
});

test("a file is given up after some attempts where the broker is not at fault, and with its world", async () => {
  for (const [error, most] of [[diskFull, 5], [noRoom, 1001]] as const) {
    const { files, tries } = filesWith(error, Infinity);
    await files.states(local).write("state", new Uint8Array(3));
    await assert.rejects(files.changes(), error === noRoom ? noRoom : { code: "disk_full" });
    assert.equal(tries.count, most);
  }
});
