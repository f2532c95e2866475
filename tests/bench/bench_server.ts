/**
 * A world server in a process of its own, to be measured from outside.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WorldClient } from "../../lib/world/client/world_client.ts";

/** A server that listens. */
export interface BenchServer {
  readonly client: WorldClient;
  readonly url: string;
  readonly child: ChildProcess;
  /** When its process was started, on the clock of `performance`. */
  readonly started: number;
}

/** Starts a server by a command line that takes the flags of `svc world serve`, and stops it after the work. */
export async function withBenchServer<T>(
  command: readonly string[],
  work: (server: BenchServer) => Promise<T>,
): Promise<T> {
  const state = await mkdtemp(join(tmpdir(), "svc-bench-"));
  const started = performance.now();
  const args = [...command.slice(1), "--port", "0", "--json", "--state-directory", state];
  const child = spawn(command[0], args, { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let text = "";
      child.stdout!.on("data", (bytes) => {
        text += bytes;
        if (text.includes("\n")) resolve(JSON.parse(text.split("\n")[0]).url);
      });
      child.on("exit", (code) => reject(new Error(`Cannot measure the server: it ended with status ${code}`)));
    });
    return await work({ client: new WorldClient(url), url, child, started });
  } finally {
    child.kill();
    await new Promise((resolve) => child.on("close", resolve));
    await rm(state, { recursive: true, force: true });
  }
}

/** The picture that measured walks start from. */
export function benchSource(): Promise<Uint8Array> {
  return readFile(new URL("../../examples/corridor.png", import.meta.url));
}
