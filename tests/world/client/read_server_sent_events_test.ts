import assert from "node:assert/strict";
import { test } from "node:test";
import { readServerSentEvents } from "../../../lib/world/client/read_stream.ts";

async function read(parts: readonly (string | Uint8Array<ArrayBuffer>)[]): Promise<string[]> {
  const bytes = parts.map((part) => typeof part === "string" ? new TextEncoder().encode(part) : part);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of bytes) controller.enqueue(part);
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const { id, event, data } of readServerSentEvents(body)) events.push(`${id}|${event}|${data}`);
  return events;
}

const cases: [what: string, parts: string[], events: string[]][] = [
  ["an event with all fields", ["id: 1\nevent: job\ndata: {}\n\n"], ["1|job|{}"]],
  ["events that end with CR LF and CR", ["data: a\r\n\r\ndata: b\r\rdata: c\n\n"], [
    "|message|a",
    "|message|b",
    "|message|c",
  ]],
  ["an end of line that is cut in two", ["data: a\r", "\n\r", "\ndata: b\n\n"], ["|message|a", "|message|b"]],
  ["data over several lines", ["data: a\ndata:b\ndata\n\n"], ["|message|a\nb\n"]],
  ["only the first space after the colon as a separator", ["data:  a: b \n\n"], ["|message| a: b "]],
  ["the last id for events that name none", ["id: 7\ndata: a\n\ndata: b\n\n"], ["7|message|a", "7|message|b"]],
  ["comments, unknown fields and retry as nothing", [": keepalive\n\nretry: 5\nx: y\ndata: a\n\n"], ["|message|a"]],
  ["no event without data", ["event: job\n\n"], []],
  ["no event that is incomplete", ["data: a\n\ndata: b\n"], ["|message|a"]],
];
for (const [what, parts, events] of cases) {
  test(`readServerSentEvents() reads ${what}`, async () => {
    assert.deepEqual(await read(parts), events);
    assert.deepEqual(await read(parts.flatMap((part) => [...part])), events);
  });
}

test("readServerSentEvents() reads characters that are cut in two", async () => {
  const bytes = new TextEncoder().encode("data: ü→🚪\n\n");
  assert.deepEqual(await read(Array.from(bytes, (byte) => new Uint8Array([byte]))), ["|message|ü→🚪"]);
});

test("readServerSentEvents() lets go of the stream when the reader has enough", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: a\n\n")),
    cancel: () => void (cancelled = true),
  });
  for await (const _ of readServerSentEvents(body)) break;
  assert.ok(cancelled);
});

test("readServerSentEvents() ends when its signal aborts, though the stream continues", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
  const abort = new AbortController();
  const next = readServerSentEvents(endless, abort.signal).next();
  abort.abort();
  assert.deepEqual(await next, { done: true, value: undefined });
  assert.ok(cancelled);
});
