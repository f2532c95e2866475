import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MultipartParser, type PartHead } from "../../../lib/http/multipart/multipart_parser.ts";
import { concat, multipartBody } from "../../support/multipart_body.ts";

/** The parts of a body that comes in chunks of these sizes, the last one repeated. */
function parse(boundary: string, body: Uint8Array, sizes: readonly number[] = [body.length]): [PartHead, Uint8Array][] {
  const parser = new MultipartParser(boundary);
  const parts: [PartHead, Uint8Array][] = [];
  let ended = 0;
  for (let at = 0, i = 0; at < body.length; i++) {
    const size = sizes[Math.min(i, sizes.length - 1)];
    // A copy that is overwritten afterwards: events must not outlive their step.
    const chunk = body.slice(at, at + size);
    for (const event of parser.feed(chunk)) {
      if (event.kind === "head") parts.push([event.head, new Uint8Array()]);
      else if (event.kind === "data") parts[parts.length - 1][1] = concat(parts[parts.length - 1][1], event.bytes);
      else ended++;
    }
    chunk.fill(0);
    at += size;
  }
  parser.finish();
  assert.equal(ended, parts.length);
  return parts;
}

/** Bytes in which boundaries begin often. */
const content = fc.array(
  fc.oneof(
    fc.constantFrom("\r", "\n", "\r\n", "\r\n-", "\r\n--", "\r\n--b", "\r\n--bx\r", "--b", "\0"),
    fc.uint8Array({ maxLength: 5 }),
  ),
  { maxLength: 12 },
).map((pieces) => concat(...pieces));

test("parts come out as they went in, however the body is cut", () => {
  fc.assert(
    fc.property(
      fc.array(content, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      (contents, sizes) => {
        const boundary = "bx-0123456789";
        const parts = contents.map((content, i) => ({ name: `p${i}`, content, filename: "f", type: "a/b" }));
        const body = multipartBody(boundary, parts);
        for (const cut of [[body.length], [1], sizes]) {
          const found = parse(boundary, body, cut);
          assert.deepEqual(found.map(([{ name }, bytes]) => [name, bytes]), parts.map((p) => [p.name, p.content]));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("the runtime's own parser finds the same parts", async () => {
  const values: [string, string][] = [["a", "1"], ["b", "zwei\r\nDrei ✓"], ["a", ""], ["file", "\r\n--\r\n"]];
  const form = new FormData();
  for (const [name, value] of values) form.append(name, value);
  form.append("f", new File([new Uint8Array([0, 13, 10, 255])], 'x"y.wav', { type: "audio/wav" }));
  const response = new Response(form);
  const boundary = /boundary=(.*)$/.exec(response.headers.get("content-type")!)![1];
  const found = parse(boundary, new Uint8Array(await response.arrayBuffer()), [7]);
  assert.deepEqual(
    found.slice(0, 4).map(([{ name }, bytes]) => [name, new TextDecoder().decode(bytes)]),
    values,
  );
  assert.deepEqual(found[4][1], new Uint8Array([0, 13, 10, 255]));
  assert.equal(found[4][0].type, "audio/wav");
});

test("heads are read as browsers, curl and the openai clients write them", () => {
  const heads: [string, Partial<PartHead>][] = [
    ['Content-Disposition: form-data; name="file"; filename="a b.wav"\r\nContent-Type: audio/wav', {
      name: "file",
      filename: "a b.wav",
      type: "audio/wav",
    }],
    ["content-disposition:form-data;name=file", { name: "file", type: "" }],
    ['CONTENT-DISPOSITION: Form-Data; NAME="timestamp_granularities[]"', { name: "timestamp_granularities[]" }],
    ['content-disposition: form-data; name="f"; filename="a"; filename*=UTF-8\'\'b%20c.wav', {
      name: "f",
      filename: "UTF-8''b%20c.wav",
    }],
    ['content-disposition: form-data; name="f"; filename="../../etc/passwd"', { filename: "../../etc/passwd" }],
    ['content-disposition: form-data; name="f"; filename="C:\\\\a\\"b.wav"', { filename: 'C:\\a"b.wav' }],
    ['content-disposition: form-data; name="f"; filename=""', { filename: "" }],
    ['content-disposition: form-data; name="t"\r\ncontent-type: text/plain; charset=UTF-8', {
      type: "text/plain",
      charset: "utf-8",
    }],
    ['content-disposition: form-data; name="f"\r\ncontent-transfer-encoding: binary', { name: "f" }],
  ];
  for (const [text, expected] of heads) {
    const [[head]] = parse("b", concat(`--b\r\n${text}\r\n\r\nx\r\n--b--`));
    for (const [key, value] of Object.entries(expected)) assert.equal(head[key as keyof PartHead], value, text);
  }
});

test("what may surround parts is skipped", () => {
  const part = '\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
  for (const body of [`--b${part}--b--`, `for mail\r\n--b${part}--b--`, `--b \t${part}--b--\r\nafter\r\n--b\r\n`]) {
    assert.equal(parse("b", concat(body), [1]).length, 1, body);
  }
  assert.deepEqual(parse("b", concat("--b--")), []);
});

test("a damaged body is refused by what is wrong with it", () => {
  const disposition = 'content-disposition: form-data; name="a"';
  const bodies: [string, RegExp][] = [
    ["", /ends before/],
    [`--b\r\n${disposition}\r\n\r\nx`, /ends before/],
    [`--b\r\n${disposition}\r\n\r\nx\r\n--b`, /ends before/],
    [`--b\r\n${disposition}\r\n\r\nx\r\n--b-`, /ends before/],
    [`--b\r\n${disposition}`, /ends before/],
    [`--b\n${disposition}\n\nx\n--b--`, /followed by other text/],
    [`--bc\r\n${disposition}\r\n\r\nx\r\n--bc--`, /followed by other text/],
    ["--b\r\n\r\nx\r\n--b--", /the header/],
    ["--b\r\ncontent-type: text/plain\r\n\r\nx\r\n--b--", /no name/],
    ["--b\r\ncontent-disposition: attachment; name=a\r\n\r\nx\r\n--b--", /no name/],
    [`--b\r\n${disposition}\r\n${disposition}\r\n\r\nx\r\n--b--`, /twice/],
    ["--b\r\ncontent-disposition: form-data; name=a; name=b\r\n\r\nx\r\n--b--", /twice/],
    ['--b\r\ncontent-disposition: form-data; name="a\r\n\r\nx\r\n--b--', /has the header/],
    [`--b\r\n${disposition}; filename="a\0b"\r\n\r\nx\r\n--b--`, /has the header/],
    [`--b\r\n${disposition}\r\n folded\r\n\r\nx\r\n--b--`, /has the header/],
    [`--b\r\n${disposition}\r\ncontent-transfer-encoding: base64\r\n\r\nx\r\n--b--`, /encoded as "base64"/],
    [`--b\r\nx: ${"a".repeat(9000)}\r\n${disposition}\r\n\r\nx\r\n--b--`, /more than 8192 bytes/],
    [`--b\r\nx: ${"a".repeat(2 ** 20)}`, /more than 8192 bytes/],
    [`${"x".repeat(2000)}\r\n--b\r\n${disposition}\r\n\r\nx\r\n--b--`, /before its first boundary/],
    [`--b${" ".repeat(100)}\r\n`, /spaces/],
  ];
  for (const [text, message] of bodies) {
    for (const sizes of [[text.length + 1], [1000]]) {
      assert.throws(
        () => parse("b", concat(text), sizes),
        { code: "invalid_multipart", message },
        text.slice(0, 200),
      );
    }
  }
});

test("the work grows with the bytes alone, whatever they are", () => {
  const size = 4 * 2 ** 20;
  const head = '--b\r\ncontent-disposition: form-data; name="a"; filename="f"\r\n\r\n';
  const boundary = "b".repeat(70);
  const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  const measure = (boundary: string, content: string): number => {
    const body = concat(head.replace("--b", `--${boundary}`), content, `\r\n--${boundary}--`);
    const begin = performance.now();
    parse(boundary, body, [body.length]);
    return performance.now() - begin;
  };
  const plain = Math.max(measure("b", fill("x")), 50);
  for (const hostile of ["\r", "\r\n", "\r\n--", `\r\n--${"b".repeat(69)}`, "-", "b"]) {
    const took = measure(boundary, fill(hostile));
    assert.ok(took < 60 * plain, `${JSON.stringify(hostile.slice(0, 8))} took ${took} ms, plain bytes ${plain} ms`);
  }
});
