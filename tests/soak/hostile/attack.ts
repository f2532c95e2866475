/**
 * Hostile requests, fired at a server one after another while its health is watched.
 *
 * @module
 */
import { connect } from "node:net";
import process from "node:process";
import { watchHealth, watchMemory, watchOthers } from "./watch.ts";

/** Longest time to answer `/health`, in milliseconds. */
const HEALTH_LIMIT = 1000;

/** Longest time until another client's request has begun, while an attack runs. */
const OTHERS_LIMIT = 5000;

/** On a machine that others crowd, times may be so many times as long: `SVC_CROWDED=4`. */
const CROWDED = Number(process.env["SVC_CROWDED"] || 1);

/** Longest time of an attack. */
const ATTACK_LIMIT = 120_000;

/** One thing that a client may do to a server. */
export interface Attack {
  readonly name: string;
  /** Says what was answered. */
  readonly run: (url: string) => Promise<string>;
  /** Whether it lasts, so that another client has to be served meanwhile. */
  readonly beside?: boolean;
}

/** What an attack did. */
export interface AttackResult {
  readonly name: string;
  readonly answer: string;
  readonly milliseconds: number;
  readonly health: number;
  /** Milliseconds until a request of another client has begun, at most. */
  readonly others?: number;
  /** What the processes of the server took at most. */
  readonly megabytes?: number;
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

/** All that a server answers to a text until it closes the connection. */
export function exchange(url: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let answer = "";
    const end = (): void => resolve(answer);
    socket.on("data", (data) => answer += data).on("error", end).on("close", end);
    socket.write(text.replaceAll("HOST", `${hostname}:${port}`));
  });
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

/** What is watched while attacks run. */
export interface Watched {
  /** A legal request, after each attack; rejects when the server does not do its work any more. */
  readonly legal: (url: string) => Promise<void>;
  /**
   * What another client asks again and again while an attack runs that says so; resolves with the milliseconds until it
   * has been begun, where that is not when it is done.
   */
  readonly beside?: (url: string) => Promise<number | void>;
  /** The server, whose processes are measured. */
  readonly pid?: number | undefined;
  /** What they may take together. */
  readonly megabytes?: number;
}

/** Runs attacks; after each a legal request must work. */
export async function attack(
  url: string,
  attacks: readonly Attack[],
  { legal, beside, pid, megabytes: most = Infinity }: Watched,
  onResult: (result: AttackResult) => void,
): Promise<boolean> {
  let isFine = true;
  for (const { name, run, beside: hasOthers } of attacks) {
    const health = watchHealth(url);
    const memory = pid === undefined ? undefined : watchMemory(pid);
    const others = hasOthers && beside ? watchOthers(() => beside(url)) : undefined;
    const begin = performance.now();
    let answer: string;
    let isAnswered = true;
    const fails = (error: unknown): void => {
      isAnswered = false;
      answer += ` ${error}`;
    };
    try {
      answer = await run(url);
    } catch (error) {
      answer = "";
      fails(error);
    }
    const milliseconds = performance.now() - begin;
    const waited = await others?.().catch(fails);
    const [longest, megabytes] = [await health(), memory?.()];
    await legal(url).catch((error) => fails(`; afterwards ${error}`));
    const isSoon = !(longest >= HEALTH_LIMIT * CROWDED) && !(waited! >= OTHERS_LIMIT * CROWDED);
    const result = {
      ...{ name, answer, milliseconds, health: longest, isFine: isAnswered && isSoon && !(megabytes! > most) },
      ...(waited !== undefined && { others: waited }),
      ...(megabytes !== undefined && { megabytes }),
    };
    onResult(result);
    isFine &&= result.isFine;
  }
  return isFine;
}
