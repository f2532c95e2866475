import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonType, readBody } from "../../lib/http/request_body.ts";

function streamed(parts: string[], end: "close" | "error" = "close") {
  let cancelled = false;
  let leave!: () => void;
  const left = new Promise<void>((resolve) => leave = resolve);
  const queue = parts.map((part) => new TextEncoder().encode(part));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = queue.shift();
      if (next) controller.enqueue(next);
      else if (end === "close") {
        controller.close();
        leave();
      } else controller.error(new Error("connection reset"));
    },
    cancel: () => {
      cancelled = true;
      leave();
    },
  }, { highWaterMark: 0 });
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  return {
    request: new Request("http://localhost/", init),
    cancelled: () => cancelled,
    /** Resolves when the body has been read to its end, or cancelled. */
    left,
  };
}

test("isJsonType() accepts JSON types and their parameters", () => {
  for (
    const type of ["application/json", "Application/JSON; charset=utf-8", "application/problem+json", "text/x+json"]
  ) {
    assert.equal(isJsonType(type), true, type);
  }
  for (
    const type of [null, "", "text/plain", "application/jsonp", "application/x-www-form-urlencoded", "json", "+json"]
  ) {
    assert.equal(isJsonType(type), false, String(type));
  }
});

test("readBody() joins the parts of a body", async () => {
  const bytes = await readBody(streamed(["ab", "", "cde"]).request, 5);
  assert.equal(new TextDecoder().decode(bytes), "abcde");
  assert.equal((await readBody(new Request("http://localhost/"), 5)).length, 0);
});

test("readBody() refuses at the limit, and then takes only so much from a client that keeps sending", async () => {
  let sent = 0;
  let end!: () => void;
  const ended = new Promise<void>((resolve) => end = resolve);
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(sent++ < 2 ? 3 : 2 ** 20)),
    cancel: () => end(),
  }, { highWaterMark: 0 });
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  await assert.rejects(readBody(new Request("http://localhost/", init), 5), { status: 413, message: /of 5 bytes/ });
  await ended;
  assert.equal(sent, 2 + 64);
});

test("readBody() takes the rest of a refused body: a client may send its next request after it", async () => {
  const { request, cancelled, left } = streamed(["abc", "def", "ghi", "jkl"]);
  await assert.rejects(readBody(request, 5), { status: 413 });
  await left;
  assert.equal(cancelled(), false);
});

test("readBody() refuses a declared length before it reads", async () => {
  const { request, cancelled } = streamed(["abc"]);
  request.headers.set("content-length", "1000");
  await assert.rejects(readBody(request, 5), { status: 413 });
  assert.equal(cancelled(), false);
});

test("readBody() reports an aborted request", async () => {
  await assert.rejects(readBody(streamed(["abc"], "error").request, 5), {
    status: 400,
    message: /connection ended/,
  });
});
