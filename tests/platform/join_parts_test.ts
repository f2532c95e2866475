import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { listen } from "../../lib/platform/sockets/listen.ts";

/** Sends a body in chunks, and gives the parts in which a handler reads it. */
async function partsOf(chunks: readonly string[], pause = false): Promise<string[]> {
  const parts: string[] = [];
  const server = await listen(async (request) => {
    const decoder = new TextDecoder();
    for await (const part of request.body!) {
      parts.push(decoder.decode(part, { stream: true }));
      if (pause) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return new Response(`read ${parts.length}`);
  }, { host: "127.0.0.1", port: 0 });
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const answer = new Promise<string>((resolve, reject) => {
    let text = "";
    socket.on("data", (data) => {
      text += data;
      if (text.includes("read ")) resolve(text);
    }).on("error", reject).on("close", () => reject(new Error(`the connection ended after ${text}`)));
  });
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");
  socket.write(`POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
  try {
    assert.match(await answer, /^HTTP\/1\.1 200 /);
    return parts;
  } finally {
    socket.destroy();
    await server.close(0);
  }
}

test("listen() joins small parts of a body, which arrives whole and in order", async () => {
  const chunks = Array.from({ length: 20_000 }, (_, i) => String.fromCharCode(97 + i % 26));
  for (const pause of [false, true]) {
    const parts = await partsOf(chunks, pause);
    assert.equal(parts.join(""), chunks.join(""));
    assert.ok(parts.length < 1000, `${parts.length} parts`);
  }
});

test("listen() closes a connection that sends hundreds of thousands of tiny parts", async () => {
  await assert.rejects(partsOf(Array<string>(260_000).fill("a")), /the connection ended after|ECONNRESET|EPIPE/);
});

test("listen() passes on large parts, few parts and mixtures as they are", async () => {
  const large = Array.from({ length: 200 }, (_, i) => String.fromCharCode(97 + i % 26).repeat(5000));
  assert.equal((await partsOf(large)).join(""), large.join(""));
  assert.equal((await partsOf(["a", "b", "c"])).join(""), "abc");
  const mixed = Array.from({ length: 3000 }, (_, i) => (i % 500 === 499 ? "x".repeat(70_000) : `${i},`));
  assert.equal((await partsOf(mixed)).join(""), mixed.join(""));
});
