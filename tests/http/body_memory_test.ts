import assert from "node:assert/strict";
import { test } from "node:test";
import { BodyMemory } from "../../lib/http/body_memory.ts";
import { readBody } from "../../lib/http/request_body.ts";

/** A request whose body comes in parts; `more` gives the next one, null ends it. */
function upload(more: () => Promise<Uint8Array | null>): Request {
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const part = await more();
      if (part) controller.enqueue(part);
      else controller.close();
    },
  }, { highWaterMark: 0 });
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  return new Request("http://localhost/", init);
}

test("readBody() holds a body that comes byte by byte in one buffer of at most twice its size", async () => {
  const memory = new BodyMemory(Infinity);
  let sent = 0;
  let most = 0;
  const bytes = await readBody(
    upload(() => {
      most = Math.max(most, memory.used);
      return Promise.resolve(sent === 100_000 ? null : Uint8Array.of(sent++));
    }),
    1e6,
    memory,
  );
  assert.deepEqual([bytes.length, bytes[255], bytes[99_999]], [100_000, 255, 99_999 % 256]);
  assert.ok(most <= 200_000, `${most} bytes`);
  assert.equal(memory.used, 0);
});

test("readBody() refuses a body when those of other requests fill the memory, and gives back what it took", async () => {
  const memory = new BodyMemory(100_000);
  let go = (): void => {};
  const gate = new Promise<void>((resolve) => go = resolve);
  let parts = 0;
  const held = readBody(
    upload(async () => {
      if (parts++ === 0) return new Uint8Array(80_000);
      await gate;
      return null;
    }),
    1e6,
    memory,
  );
  while (memory.used === 0) await new Promise((resolve) => setImmediate(resolve));
  const other = () => {
    let done = false;
    return upload(() => Promise.resolve(done ? null : (done = true, new Uint8Array(30_000))));
  };
  await assert.rejects(readBody(other(), 1e6, memory), { status: 503, code: "memory_pressure" });
  assert.equal(memory.used, 80_000);
  go();
  assert.equal((await held).length, 80_000);
  assert.equal((await readBody(other(), 1e6, memory)).length, 30_000);
  assert.equal(memory.used, 0);
});
