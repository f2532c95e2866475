/**
 * A real NATS server for tests: the program that `SVC_NATS_SERVER` names, the one on the PATH, or the one that
 * `deno task nats` has built.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect as connectSocket, createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

/** The version that is built. */
export const NATS_VERSION = "2.12.15";

/** Where the built one lies. */
export const NATS_FOLDER: string = join(
  process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"),
  "svc",
  `nats-server-${NATS_VERSION}`,
);

/** The program; undefined where there is none. */
export function natsProgram(): string | undefined {
  const named = process.env["SVC_NATS_SERVER"];
  if (named) return named;
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), NATS_FOLDER];
  return folders.map((folder) => join(folder, "nats-server")).find((path) => existsSync(path));
}

/** Why tests with a real server are skipped; false where they are not. */
export const withoutNats: string | false = natsProgram() === undefined &&
  "there is no nats-server: set SVC_NATS_SERVER, or build it with deno task nats";

/** A server that runs. */
export interface NatsServer {
  readonly url: string;
  /** Ends it as a loss of its machine does. */
  kill(): Promise<void>;
  /** Starts it again with what it has on the disk. */
  restart(): Promise<void>;
  /** Loses messages of a stream, as a damaged disk may. */
  removeMessages(stream: string, filter: string): Promise<void>;
  /** Ends it, and removes its files. */
  stop(): Promise<void>;
}

/** Starts a server with JetStream on a free port. */
export async function startNats(): Promise<NatsServer> {
  return await startNode(await freePort(), []);
}

/** Starts the three nodes of one broker. */
export async function startNatsNodes(): Promise<NatsServer[]> {
  const ports = await Promise.all(Array.from({ length: 6 }, freePort));
  const routes = ports.slice(3).map((port) => `nats://127.0.0.1:${port}`);
  return await Promise.all(routes.map((route, i) => {
    const cluster = ["--cluster", route, "--cluster_name", "svc", "--routes", routes.join(",")];
    return startNode(ports[i], ["--name", `node-${i}`, ...cluster]);
  }));
}

async function startNode(port: number, more: readonly string[]): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), "svc-nats-"));
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const args = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder, ...more];
    child = spawn(natsProgram()!, args, { stdio: "ignore" });
    while (!await answers(port)) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const end = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await ended;
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => end("SIGKILL"),
    restart: start,
    async removeMessages(stream, filter) {
      const connection = await connect({ port });
      await (await jetstreamManager(connection)).streams.purge(stream, { filter });
      await connection.close();
    },
    async stop() {
      await end("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Whether something answers on a port of this machine. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1");
    socket.once("data", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
