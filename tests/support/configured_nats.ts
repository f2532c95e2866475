/**
 * A real NATS server with a configuration, for tests of the configuration.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { answers, freePort, natsProgram } from "./nats_server.ts";

/** A server that runs. */
export interface ConfiguredNats {
  readonly port: number;
  /** Ends it, and removes its files. */
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port.
 *
 * @param config Its configuration, for a port and an empty folder for JetStream.
 */
export async function startConfiguredNats(
  config: (port: number, store: string) => string,
  env: Readonly<Record<string, string>> = {},
): Promise<ConfiguredNats> {
  const folder = await mkdtemp(join(tmpdir(), "svc-nats-"));
  const port = await freePort();
  const file = join(folder, "nats.conf");
  await writeFile(file, config(port, join(folder, "store")));
  const child = spawn(natsProgram()!, ["-c", file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr!.on("data", (bytes) => said = `${said}${bytes}`.slice(-4000));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  while (!await answers(port)) {
    if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    port,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
