import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** Sends lines as they are; gives the status and the code of the error object, if there is one. */
function send(url: string, lines: readonly string[]): Promise<{ status: number; code: string | undefined }> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let text = "";
    const settle = (): void => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
      resolve({ status, code: /"code":"(\w+)"/.exec(text)?.[1] });
      socket.destroy();
    };
    // A server may wait for the rest of a body that it has refused: what it says is enough.
    socket.on("data", (data) => {
      text += data;
      if (/^HTTP\/1\.1 2|"code":"/.test(text)) settle();
    });
    socket.on("error", reject);
    socket.on("close", settle);
    socket.write([...lines, "Connection: close", "", ""].join("\r\n"));
  });
}

const requests: [what: string, lines: string[], status: number, code: string | undefined][] = [
  ["a reset without a body", ["POST /v1/world/session/reset HTTP/1.1", "Host: localhost"], 200, undefined],
  ["an empty reset", ["POST /v1/world/session/reset HTTP/1.1", "Host: localhost", "Content-Length: 0"], 200, undefined],
  ["a path that is not a string", ["GET /v1/world/jobs/%ff HTTP/1.1", "Host: localhost"], 400, "invalid_job_id"],
  ["a path that is badly escaped", ["GET /%zz HTTP/1.1", "Host: localhost"], 404, "path_not_found"],
  ["two slashes", ["GET // HTTP/1.1", "Host: localhost"], 404, "path_not_found"],
  ["a method nobody uses", ["TRACE /health HTTP/1.1", "Host: localhost"], 405, "method_not_allowed"],
  ["an absolute address", ["GET http://localhost/health HTTP/1.1", "Host: localhost"], 200, undefined],
  [
    "a body that is announced as too large",
    [
      "POST /v1/world/session/rollouts HTTP/1.1",
      "Host: localhost",
      "Content-Type: application/json",
      "Content-Length: 99999999",
    ],
    413,
    "body_too_large",
  ],
];

for (const [what, lines, status, code] of requests) {
  test(`a world server answers ${status} to ${what} on the wire`, () =>
    withFolder(async (stateDirectory) => {
      const server = await startWorldServer({ stateDirectory, port: 0, log: () => {} });
      assert.deepEqual(await send(server.url, lines), { status, code });
      await server.close();
    }));
}

/** What an HTTP parser refuses before a handler sees it. */
const refused: [what: string, text: string, status: number, code: string][] = [
  ["bytes that are not HTTP", "hello\r\n\r\n", 400, "malformed_request"],
  [
    "two lengths",
    "POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    400,
    "malformed_request",
  ],
  [
    "too many headers",
    `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
    431,
    "headers_too_large",
  ],
  [
    "a foreign expectation",
    "GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: a miracle\r\n\r\n",
    417,
    "expectation_failed",
  ],
  ["a tunnel", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", 400, "malformed_request"],
  ["a future version", "GET /health HTTP/9.9\r\nHost: localhost\r\n\r\n", 400, "malformed_request"],
  [
    "a chunk without a length",
    "POST /v1/world/session/rollouts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
    "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    400,
    "malformed_request",
  ],
  ["an invalid host", "GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400, "malformed_request"],
];

test("every refusal of the HTTP parser has the JSON body of all errors, and the server keeps running", () =>
  withFolder(async (stateDirectory) => {
    const server = await startWorldServer({ stateDirectory, port: 0, log: () => {} });
    for (const [what, text, status, code] of refused) {
      const answer = await exchange(server.url, text);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} .*\r\n`), what);
      assert.match(answer, /\r\ncontent-type: application\/json/i, what);
      const { error } = JSON.parse(/\{"error".*\}/.exec(answer)?.[0] ?? "{}");
      assert.deepEqual([error.code, error.type, typeof error.message], [code, "invalid_request_error", "string"], what);
    }
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    await server.close();
  }));

test("HTTP/1.0 and requests without a host are served on a loopback listener", () =>
  withFolder(async (stateDirectory) => {
    const server = await startWorldServer({ stateDirectory, port: 0, log: () => {} });
    for (const line of ["GET /health HTTP/1.0", "GET /v1/world/session HTTP/1.0", "GET /health HTTP/1.1"]) {
      const answer = await exchange(server.url, `${line}\r\nConnection: close\r\n\r\n`);
      assert.match(answer, /^HTTP\/1.[01] 200 /, line);
    }
    const foreign = await exchange(server.url, "GET /v1/world/session HTTP/1.0\r\nHost: evil.example\r\n\r\n");
    assert.match(foreign, /"code":"host_not_allowed"/);
    await server.close();
  }));

/** All that a server answers to a text until it closes the connection. */
function exchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let answer = "";
    socket.on("data", (data) => answer += data);
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    socket.write(text);
  });
}
