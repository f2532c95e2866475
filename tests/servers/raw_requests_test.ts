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
  ["a path that is no text", ["GET /v1/world/jobs/%ff HTTP/1.1", "Host: localhost"], 400, "invalid_job_id"],
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

test("a world server refuses an invalid host and keeps running", () =>
  withFolder(async (stateDirectory) => {
    const server = await startWorldServer({ stateDirectory, port: 0, log: () => {} });
    const { status } = await send(server.url, ["GET /health HTTP/1.1", "Host: a b"]);
    assert.ok([400, 403].includes(status), String(status)); // Node itself refuses it with 400
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    await server.close();
  }));
