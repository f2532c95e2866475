/**
 * Hostile requests, fired at a server one after another while its health is watched.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { connect } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { programArguments } from "../../support/program_arguments.ts";

/** Longest time to answer `/health`, in milliseconds. */
const HEALTH_LIMIT = 1000;

/** Longest time of an attack. */
const ATTACK_LIMIT = 120_000;

/** One thing that a client may do to a server. */
export interface Attack {
  readonly name: string;
  /** Says what was answered. */
  readonly run: (url: string) => Promise<string>;
}

/** What an attack did. */
export interface AttackResult {
  readonly name: string;
  readonly answer: string;
  readonly milliseconds: number;
  readonly health: number;
  readonly isFine: boolean;
}

/** Sends a request, and says its status and code. */
export function send(path: string, init: RequestInit, expected = /^[234]/): Attack["run"] {
  return async (url) => {
    const answer = await fetch(url + path, { ...init, signal: AbortSignal.timeout(ATTACK_LIMIT) });
    const text = await answer.text();
    const code = /"code":"(\w+)"/.exec(text)?.[1] ?? "";
    if (!expected.test(String(answer.status))) throw new Error(`${answer.status} ${text.slice(0, 300)}`);
    return `${answer.status} ${code}`;
  };
}

/** Posts JSON text. */
export function post(path: string, body: string, expected?: RegExp): Attack["run"] {
  return send(path, { method: "POST", headers: { "content-type": "application/json" }, body }, expected);
}

/** Opens connections that send `start`, then a byte of `rest` each time; ends them after some milliseconds. */
export function slowClients(count: number, start: string, rest: string, milliseconds: number): Attack["run"] {
  return async (url) => {
    const { hostname, port } = new URL(url);
    let closed = 0;
    const sockets = Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {}).on("close", () => closed++).resume();
      socket.write(start.replaceAll("HOST", `${hostname}:${port}`));
      return socket;
    });
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable && rest) socket.write(rest);
    }, 500);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    clearInterval(drip);
    const byServer = closed;
    for (const socket of sockets) socket.destroy();
    return `${byServer} of ${count} closed by the server`;
  };
}

/** Sends bytes over one connection, and says how each answer begins. */
export function raw(text: string): Attack["run"] {
  return (url) =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      let answer = "";
      const end = (): void => {
        const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
        const counts = new Map<string, number>();
        for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
        resolve([...counts].map(([status, count]) => `${count} x ${status}`).join(", ") || "closed");
        socket.destroy();
      };
      socket.on("data", (data) => answer += data).on("error", () => {}).on("close", end);
      socket.setTimeout(3000, end);
      socket.write(text.replaceAll("HOST", `${hostname}:${port}`));
    });
}

/**
 * Runs attacks; after each a legal request must work.
 *
 * @param legal Rejects when the server does not do its work any more.
 */
export async function attack(
  url: string,
  attacks: readonly Attack[],
  legal: (url: string) => Promise<void>,
  onResult: (result: AttackResult) => void,
): Promise<boolean> {
  let isFine = true;
  for (const { name, run } of attacks) {
    const health = watchHealth(url);
    const begin = performance.now();
    let answer: string;
    let isAnswered = true;
    try {
      answer = await run(url);
    } catch (error) {
      isAnswered = false;
      answer = String(error);
    }
    const milliseconds = performance.now() - begin;
    const longest = await health();
    await legal(url).catch((error) => {
      isAnswered = false;
      answer += `; afterwards ${error}`;
    });
    const result = { name, answer, milliseconds, health: longest, isFine: isAnswered && longest < HEALTH_LIMIT };
    onResult(result);
    isFine &&= result.isFine;
  }
  return isFine;
}

/** Watches the health of a server until the result is called, which gives the longest answer in milliseconds. */
function watchHealth(url: string): () => Promise<number> {
  const program = fileURLToPath(new URL("health_probe.ts", import.meta.url));
  const child = spawn(process.execPath, [...programArguments(), program, url], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (data) => text += data);
  const ended = new Promise<number>((resolve) => child.on("close", () => resolve(Number(text || NaN))));
  return () => {
    child.stdin.end();
    return ended;
  };
}
