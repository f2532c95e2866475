import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";

/** A process of the fleet, and where it listens. */
export interface Role {
  readonly child: ChildProcess;
  readonly url: string;
}

/** How long a fleet may take for a request, in milliseconds. */
const REQUEST_TIMEOUT = 120_000;

/** A fleet of real processes on this machine. */
export class RealFleet {
  readonly #join: string;
  readonly #children: ChildProcess[] = [];
  readonly workers = new Map<string, Role>();
  readonly gateways: Role[] = [];

  /** @param join Addresses of the broker. */
  constructor(join: string) {
    this.#join = join;
  }

  /** Runs a command of the command line to its end. */
  async run(...words: string[]): Promise<void> {
    const child = this.#spawn(words, "inherit");
    assert.equal(await new Promise((resolve) => child.once("exit", resolve)), 0, words.join(" "));
  }

  async startWorker(name: string, slots = 4): Promise<void> {
    const serve = ["world", "serve", "--slots", String(slots), "--threads", "1", "--device", "cpu", "--name", name];
    this.workers.set(name, await this.#start(serve));
  }

  async startGateway(): Promise<Role> {
    const gateway = await this.#start(["gateway", "serve"]);
    this.gateways.push(gateway);
    return gateway;
  }

  /** Gateways whose process lives. */
  get open(): readonly Role[] {
    return this.gateways.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  }

  /** Asks gateways until one has answered. */
  async ask(method: string, path: string, body?: unknown): Promise<Response> {
    const key = crypto.randomUUID();
    const isBytes = body instanceof Uint8Array;
    const headers = { "content-type": isBytes ? "image/png" : "application/json", "idempotency-key": key };
    const text = body === undefined ? undefined : isBytes ? body as BodyInit : JSON.stringify(body);
    const end = Date.now() + REQUEST_TIMEOUT;
    for (let turn = 0; Date.now() < end; turn++) {
      const gateway = this.open[turn % this.open.length];
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT);
      const asked = fetch(gateway.url + path, { method, headers, signal, ...(text !== undefined && { body: text }) });
      const response = await asked.catch(() => undefined); // it was killed
      if (response?.ok) return response;
      const said = await response?.text().catch(() => "");
      const isBusy = response === undefined || [429, 503].includes(response.status);
      if (!isBusy) throw new Error(`${method} ${path}: ${response.status} ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(`${method} ${path}: no answer in ${REQUEST_TIMEOUT} ms`);
  }

  async json(method: string, path: string, body?: unknown) {
    return await (await this.ask(method, path, body)).json();
  }

  /** Starts a new world from a picture. */
  async picture(world: string): Promise<void> {
    const png = new Uint8Array(readFileSync("models/corridor-nano/base/source.png"));
    await this.ask("POST", `/worlds/${world}/v1/world/session/source`, png);
  }

  /**
   * Makes a move.
   *
   * @param meanwhile Called when it has been accepted.
   * @returns the hash of its last picture, and the milliseconds that it took from then on.
   */
  async move(world: string, key: string, meanwhile = () => Promise.resolve()): Promise<{ hash: string; took: number }> {
    const base = `/worlds/${world}/v1/world`;
    const body = { prompt: "a corridor", action_seq: [key, key], num_output_frames: 6, width: 96, height: 64, seed: 7 };
    const { job_id } = await this.json("POST", `${base}/session/rollouts`, body);
    await meanwhile();
    const begun = Date.now();
    for (let status = ""; status !== "completed";) {
      ({ status } = await this.json("GET", `${base}/jobs/${job_id}`));
      if (status === "failed" || status === "cancelled") throw new Error(`Job ${job_id} of ${world} is ${status}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    const took = Date.now() - begun;
    const frame = await this.ask("GET", `${base}/jobs/${job_id}/media/terminal-frame`);
    return { hash: createHash("sha256").update(new Uint8Array(await frame.arrayBuffer())).digest("hex"), took };
  }

  /** Ends every process. */
  close(): void {
    for (const child of this.#children) child.kill("SIGKILL");
  }

  async #start(words: string[]): Promise<Role> {
    const child = this.#spawn([...words, "--port", "0", "--json"], "pipe");
    let text = "";
    for await (const part of child.stdout!) {
      text += part;
      if (text.includes("\n")) break;
    }
    return { child, url: JSON.parse(text).url };
  }

  #spawn(words: string[], stdout: "pipe" | "inherit"): ChildProcess {
    const args = ["--import", "tsx", "cli/main.ts", ...words, "--join", this.#join];
    const stderr = stdout === "inherit" ? "inherit" : "ignore";
    const child = spawn(process.execPath, args, { stdio: ["ignore", stdout, stderr] });
    this.#children.push(child);
    return child;
  }
}
