import assert from "node:assert/strict";
import { test } from "node:test";
import { fileResponse } from "../../lib/http/file_response.ts";

const BYTES = new TextEncoder().encode("0123456789");

function serve(headers: Record<string, string> = {}, method = "GET", bytes = BYTES): Response {
  const file = {
    size: bytes.length,
    modified: 1000,
    stream: (start: number, end: number) =>
      new Blob([bytes.slice(start, end + 1)]).stream() as ReadableStream<Uint8Array<ArrayBuffer>>,
  };
  return fileResponse(new Request("http://localhost/f", { method, headers }), file, "video/mp4");
}

test("fileResponse() sends the whole file with its size and tag", async () => {
  const response = serve();
  assert.equal(response.status, 200);
  assert.deepEqual(Object.fromEntries(response.headers), {
    "accept-ranges": "bytes",
    "cache-control": "no-store",
    "content-length": "10",
    "content-type": "video/mp4",
    etag: '"3e8-a"',
  });
  assert.equal(await response.text(), "0123456789");
});

test("fileResponse() answers HEAD without a body", async () => {
  const response = serve({}, "HEAD");
  assert.equal(response.headers.get("content-length"), "10");
  assert.equal(response.body, null);
  assert.equal(serve({ range: "bytes=0-3" }, "HEAD").headers.get("content-length"), "4");
  assert.equal(await response.text(), "");
});

const ranges: [header: string, body: string, contentRange: string][] = [
  ["bytes=0-0", "0", "bytes 0-0/10"],
  ["bytes=2-4", "234", "bytes 2-4/10"],
  ["bytes=7-", "789", "bytes 7-9/10"],
  ["bytes=-3", "789", "bytes 7-9/10"],
  ["bytes=-30", "0123456789", "bytes 0-9/10"],
  ["bytes=8-100", "89", "bytes 8-9/10"],
  ["Bytes=9-9", "9", "bytes 9-9/10"],
];
for (const [header, body, contentRange] of ranges) {
  test(`fileResponse() sends a part when asked for ${header}`, async () => {
    const response = serve({ range: header });
    assert.equal(response.status, 206);
    assert.equal(response.headers.get("content-range"), contentRange);
    assert.equal(response.headers.get("content-length"), String(body.length));
    assert.equal(await response.text(), body);
  });
}

for (const range of ["bytes=10-", "bytes=10-12", "bytes=-0"]) {
  test(`fileResponse() refuses ${range} of ten bytes`, () => {
    assert.throws(() => serve({ range }), {
      status: 416,
      headers: { "content-range": "bytes */10", "accept-ranges": "bytes" },
    });
  });
}

for (const range of ["bytes=5-2", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=-", "bytes"]) {
  test(`fileResponse() ignores ${range}`, async () => {
    const response = serve({ range });
    assert.equal(response.status, 200);
    assert.equal((await response.text()).length, 10);
  });
}

test("fileResponse() sends a part only of the file that If-Range names", () => {
  assert.equal(serve({ range: "bytes=0-1", "if-range": '"3e8-a"' }).status, 206);
  assert.equal(serve({ range: "bytes=0-1", "if-range": '"other"' }).status, 200);
});

test("fileResponse() sends nothing when the client has the file", () => {
  for (const tag of ['"3e8-a"', 'W/"3e8-a"', '"x", "3e8-a"', "*"]) {
    const response = serve({ "if-none-match": tag });
    assert.equal(response.status, 304, tag);
    assert.equal(response.body, null);
  }
  assert.equal(serve({ "if-none-match": '"x"' }).status, 200);
});

test("fileResponse() sends an empty file", async () => {
  const response = serve({}, "GET", new Uint8Array());
  assert.equal(response.headers.get("content-length"), "0");
  assert.equal(await response.text(), "");
});
