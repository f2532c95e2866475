import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { AddressRefused, type ForwardedRequest, forwardRequest } from "../../lib/platform/sockets/forward_request.ts";

let server: Server;
let url: string;
let answer: RequestListener;
let requests = 0;

before(async () => {
  server = createServer((request, response) => {
    requests++;
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const send = (more: Partial<ForwardedRequest> = {}) =>
  forwardRequest({
    url,
    method: "GET",
    headers: new Headers(),
    signal: new AbortController().signal,
    whole: 1000,
    ...more,
  });
const text = (body: unknown) => new TextDecoder().decode(body as Uint8Array);

test("a short answer is whole, a long one a stream, and some have no body", async () => {
  answer = (request, response) => {
    const parts: Uint8Array[] = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const said = `${request.method} ${request.headers["x-one"]} ${Buffer.concat(parts)}`;
      response.writeHead(request.url === "/none" ? 304 : 201, { "content-length": said.length, etag: '"e"' }).end(said);
    });
  };
  const headers = new Headers({ "x-one": "1" });
  const posted = await send({ method: "POST", headers, body: new TextEncoder().encode("body") });
  assert.deepEqual([posted.status, posted.headers.get("etag"), text(posted.body)], [201, '"e"', "POST 1 body"]);
  const long = await send({ headers, whole: 3 });
  assert.ok(long.body instanceof ReadableStream);
  assert.equal(await new Response(long.body).text(), "GET 1 ");
  assert.equal((await send({ method: "HEAD", headers })).body, null);
  assert.deepEqual([(await send({ url: `${url}none` })).status, (await send({ url: `${url}none` })).body], [304, null]);
});

test("an interrupted response, a server that is gone and a signal fail it", async () => {
  answer = (_request, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("part", () => response.destroy());
  };
  await assert.rejects(send());
  const cut = await send({ whole: 10 });
  await assert.rejects(new Response(cut.body as ReadableStream).text());
  await assert.rejects(send({ url: "http://127.0.0.1:1/" }));
  await assert.rejects(send({ signal: AbortSignal.abort() }));
  const stop = new AbortController();
  answer = () => stop.abort();
  await assert.rejects(send({ signal: stop.signal }));
  answer = (_request, response) => void response.write("part");
  const late = new AbortController();
  const stream = await send({ signal: late.signal });
  late.abort();
  await assert.rejects(new Response(stream.body as ReadableStream).text());
});

test("a connection that the server has closed meanwhile costs no request", async () => {
  answer = (_request, response) => void response.writeHead(200, { "content-length": 2 }).end("ok");
  await send();
  answer = (request) => {
    answer = (_request, response) => void response.writeHead(200, { "content-length": 5 }).end("again");
    request.socket.resetAndDestroy();
  };
  const before = requests;
  assert.equal(text((await send()).body), "again");
  assert.equal(requests - before, 2);
});

test("a name is asked at those of its addresses only that may be", async () => {
  answer = (_request, response) => void response.writeHead(200, { "content-length": 2 }).end("ok");
  const named = url.replace("127.0.0.1", "localhost");
  const before = requests;
  const asked: string[] = [];
  const none = send({ url: named, mayConnect: (address) => !asked.push(address) });
  await assert.rejects(none, AddressRefused);
  assert.equal(requests, before);
  assert.ok(asked.includes("127.0.0.1"), asked.join());
  assert.equal(text((await send({ url: named, mayConnect: (address) => address === "127.0.0.1" })).body), "ok");
});
