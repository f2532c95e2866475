/**
 * A fault of Deno 2.9.5 (Linux x86_64), to be reported at https://github.com/denoland/deno/issues: a server of `node:net` or
 * `node:http` that found no free descriptor once (`accept` failed with EMFILE) never accepts again, and says nothing, also
 * when all connections have been closed. Node.js accepts again. Listening on the same handle once more wakes it, which
 * `lib/platform/sockets/listen.ts` does.
 *
 *     bash -c 'ulimit -n 160; deno run -A tests/platform/deno_accept_stalls.ts'
 *
 * Four other processes open 480 connections to it and close them, then one of them asks: "stalled" where the fault is,
 * "accepts" where it is not.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

const CLIENT = `
  const { connect } = require("node:net");
  const { PORT, ASKS } = process.env;
  const sockets = Array.from({ length: 120 }, () => connect(PORT, "127.0.0.1").on("error", () => {}));
  setTimeout(() => sockets.forEach((socket) => socket.destroy()), 2000);
  if (ASKS) setTimeout(async () => {
    const answer = fetch("http://127.0.0.1:" + PORT, { signal: AbortSignal.timeout(5000) });
    console.log(await answer.then(() => "accepts", () => "stalled"));
    process.exit();
  }, 4000);`;

const server = createServer((_request, response) => response.end("ok"));
server.on("error", (error) => {
  throw error; // never called
});
server.listen(0, "127.0.0.1", () => {
  const PORT = String((server.address() as AddressInfo).port);
  const clients = ["1", "", "", ""].map((ASKS) =>
    spawn("node", ["-e", CLIENT], { env: { ...process.env, PORT, ASKS }, stdio: ["ignore", "inherit", "inherit"] })
  );
  clients[0].on("exit", () => process.exit());
});
