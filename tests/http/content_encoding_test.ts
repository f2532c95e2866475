import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { decodeRequest } from "../../lib/http/content_encoding.ts";
import { readForm } from "../../lib/http/multipart/read_form.ts";
import { readBody } from "../../lib/http/request_body.ts";

const BODY = new TextEncoder().encode(JSON.stringify({ text: "a corridor ".repeat(1000) }));

function post(encoding: string | undefined, body: Uint8Array, pieces = 1): Request {
  const size = Math.ceil(body.length / pieces);
  const parts = Array.from({ length: pieces }, (_, i) => body.slice(i * size, (i + 1) * size));
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else controller.close();
    },
  });
  const headers = new Headers({ "content-type": "application/json", "content-length": String(body.length) });
  if (encoding !== undefined) headers.set("content-encoding", encoding);
  const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body: stream, duplex: "half" };
  return new Request("http://localhost/v1/x", init);
}

const FORM = {
  boundary: "X",
  rules: { maxBytes: 2 ** 20, files: {}, texts: {} } as never,
  folder: {} as never,
  slot: { take: () => {} } as never,
};

const FORMS: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  GZip: gzipSync,
  deflate: deflateSync,
  "deflate ": deflateRawSync,
  br: brotliCompressSync,
  "gzip, br": (bytes) => brotliCompressSync(gzipSync(bytes)),
  "identity, gzip": gzipSync,
};

test("decodeRequest() decodes every coding that it names, however the bytes arrive", async () => {
  for (const [encoding, compress] of Object.entries(FORMS)) {
    for (const pieces of [1, 7, 40]) {
      const request = await decodeRequest(post(encoding, compress(BODY), pieces));
      assert.deepEqual(await readBody(request, BODY.length), BODY, `${encoding} in ${pieces}`);
      assert.equal(request.headers.get("content-encoding"), null);
      assert.equal(request.headers.get("content-type"), "application/json");
    }
  }
});

test("decodeRequest() leaves a body that is not encoded as it is", async () => {
  for (const encoding of [undefined, "identity", ""]) {
    const request = post(encoding, BODY);
    assert.equal(await decodeRequest(request), request);
    assert.deepEqual(await readBody(request, BODY.length), BODY);
  }
});

test("decodeRequest() refuses other codings with those that it takes", async () => {
  for (const encoding of ["zstd", "compress", "gzip, zstd", "gzip, gzip, gzip", "*"]) {
    await assert.rejects(decodeRequest(post(encoding, BODY)), {
      code: "unsupported_content_encoding",
      status: 415,
      headers: { "accept-encoding": "gzip, deflate, br, identity" },
    });
  }
});

test("the limit of a body is that of its decoded bytes, and no more is decoded than that", async () => {
  const bomb = gzipSync(new Uint8Array(64 * 2 ** 20));
  for (const [encoding, body] of [["gzip", bomb], ["gzip, gzip", gzipSync(bomb)]] as const) {
    const request = await decodeRequest(post(encoding, body));
    await assert.rejects(readBody(request, 2 ** 20), { code: "body_too_large", status: 413 }, encoding);
  }
});

test("a connection that ends in the first byte is the client's error too", async () => {
  for (const encoding of ["deflate", "gzip"]) {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("reset")) });
    const headers = { "content-encoding": encoding };
    const init: RequestInit & { duplex: "half" } = { method: "POST", headers, body, duplex: "half" };
    const request = await decodeRequest(new Request("http://localhost/", init));
    await assert.rejects(readBody(request, 10), { code: "invalid_content_encoding" }, encoding);
  }
});

test("a body that is damaged, cut, or not compressed at all is the client's error, in every reader", async () => {
  const whole = gzipSync(BODY);
  const damaged = whole.slice();
  damaged.fill(255, 20, 60);
  for (const body of [damaged, whole.slice(0, -9), BODY, new Uint8Array(3)]) {
    for (const encoding of ["gzip", "deflate", "br"]) {
      // Deno's zlib takes the end of a Brotli stream wherever it is: the reader of the body's content finds it then.
      if (encoding === "br" && body.length === 3 && "Deno" in globalThis) continue;
      const request = await decodeRequest(post(encoding, body));
      await assert.rejects(readBody(request, 2 ** 20), { code: "invalid_content_encoding", status: 400 });
    }
    const form = post("gzip", body);
    form.headers.set("content-type", "multipart/form-data; boundary=X");
    await assert.rejects(readForm(await decodeRequest(form), FORM), { code: "invalid_content_encoding" });
  }
});
