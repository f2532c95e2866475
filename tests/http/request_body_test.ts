import assert from "node:assert/strict";
import { test } from "node:test";
import { isJsonType, readBody } from "../../lib/http/request_body.ts";

function streamed(parts: string[], end: "close" | "error" = "close"): { request: Request; cancelled: () => boolean } {
  let cancelled = false;
  const queue = parts.map((part) => new TextEncoder().encode(part));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = queue.shift();
      if (next) controller.enqueue(next);
      else if (end === "close") controller.close();
      else controller.error(new Error("connection reset"));
    },
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  return { request: new Request("http://localhost/", init), cancelled: () => cancelled };
}

test("isJsonType() knows JSON types and their parameters", () => {
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

test("readBody() stops at the limit without reading on", async () => {
  const { request, cancelled } = streamed(["abc", "def", "ghi"]);
  await assert.rejects(readBody(request, 5), { status: 413, message: /limit of 5 bytes/ });
  assert.equal(cancelled(), true);
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
