/**
 * What a tenant, or a worker that lies, can do to a gateway: with a real NATS server, a worker and tenants of its own.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectBroker } from "../../../fleet/nats/connect_broker.ts";
import { startNats } from "../../support/nats_server.ts";
import { type Running, startServer } from "../../support/server_process.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { type Attack, attack, type AttackResult } from "./attack.ts";
import { authorized, beginWorld, endWell, shortMove } from "./moves.ts";
import { command } from "./stranger_files.ts";

const KEYS = { attacker: "the-key-of-the-attacker-aaaaaaaaa", other: "the-key-of-the-other-bbbbbbbbbbbb" };
const OPERATOR = "the key of the operator of a fleet";
const MOVES_PER_MINUTE = 6;

/** Megabytes of a gateway. */
const GATEWAY = 400;

const FORGED = "00000000-0000-4000-8000-00000000000f";
const PATTERNS = "$&$`$'$$";

/** Sets up a fleet and attacks it. */
export async function fleetAttacks(
  chosen: (name: string) => boolean,
  onResult: (result: AttackResult) => void,
): Promise<boolean> {
  let isFine = true;
  const nats = await startNats();
  const running: Running[] = [];
  try {
    await withFolder(async (home) => {
      await command(home, ["cluster", "init", "--join", nats.url], [0]);
      const start = async (args: readonly string[], more: Record<string, string> = {}): Promise<string> => {
        const env = { SVC_HOME: home, SVC_POOL_KEY: "the key of the pool of a fleet", ...more };
        const server = startServer([...args, "--join", nats.url, "--port=0", "--json"], env, "cli/main.ts");
        running.push(server);
        return JSON.parse(await server.line).url;
      };
      const serve = ["world", "serve", "--slots=4", "--threads=1", "--device=cpu", "--name=one"];
      const worker = await start([...serve, `--state-directory=${join(home, "state")}`]);
      const tenants = join(home, "tenants.json");
      const hashOf = (key: string) => `sha256:${createHash("sha256").update(key).digest("hex")}`;
      const rows = [
        { name: "attacker", keys: [hashOf(KEYS.attacker)], moves_per_minute: MOVES_PER_MINUTE },
        { name: "other", keys: [hashOf(KEYS.other)] },
      ];
      writeFileSync(tenants, JSON.stringify({ tenants: rows }), { mode: 0o600 });
      const rule = `default=${new URL(worker).host}`;
      const gateway = await start(["gateway", "serve", `--tenants=${tenants}`, `--worker-hosts=${rule}`], {
        SVC_API_KEY: OPERATOR,
      });
      const open = async (key: string): Promise<string> => {
        const headers = { ...authorized(key), "content-type": "application/json" };
        const body = JSON.stringify({ name: "\x1b[2J\x1b]0;owned\x07\rforged \u202e line" });
        const answer = await fetch(`${gateway}/v1/worlds`, { method: "POST", headers, body });
        if (answer.status !== 201) throw new Error(`a world was answered ${answer.status} ${await answer.text()}`);
        return `${gateway}/worlds/${(await answer.json()).world_id}`;
      };
      const [attacked, other] = [await open(KEYS.attacker), await open(KEYS.other)];
      await beginWorld({ url: attacked, key: KEYS.attacker });
      await beginWorld({ url: other, key: KEYS.other });
      const move = () => shortMove({ url: other, key: KEYS.other });
      await move();
      const attacks = [
        quotas(attacked),
        patterns(attacked),
        escapes(home, nats.url),
        await forgedRecords(nats.url, gateway),
      ];
      const watched = {
        legal: async () => void await move(),
        beside: move,
        pid: running[1].child.pid,
        megabytes: GATEWAY,
      };
      isFine = await attack(gateway, attacks.filter(({ name }) => chosen(name)), watched, onResult);
      for (const server of running.splice(0).reverse()) await endWell(server);
    });
  } finally {
    for (const { child } of running) child.kill("SIGKILL");
    await nats.stop();
  }
  return isFine;
}

/** A tenant of a few moves a minute asks for hundreds of frames by every name that a worker reads. */
function quotas(world: string): Attack {
  return {
    name: "moves of 401 frames by other names",
    beside: true,
    run: async () => {
      const headers = { ...authorized(KEYS.attacker), "content-type": "application/json" };
      const camera = { motion: "forward", translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] };
      const bodies = [
        ["transitions", { prompt: "a hall", camera, numFrames: 401 }],
        ["transitions", { prompt: "a hall", camera, num_frames: 401 }],
        ["rollouts", { prompt: "a hall", actionSeq: ["w"], numOutputFrames: 252 }],
        ["rollouts", { prompt: "a hall", action_seq: ["w"], num_output_frames: 252 }],
      ] as const;
      const answers: string[] = [];
      for (const [path, body] of bodies) {
        const init = { method: "POST", headers, body: JSON.stringify(body) };
        const answer = await fetch(`${world}/v1/world/session/${path}`, init);
        const { job_id, error } = await answer.json();
        answers.push(`${answer.status} ${error?.code ?? ""}`);
        if (answer.status !== 202) continue;
        await fetch(`${world}/v1/world/jobs/${job_id}`, { method: "DELETE", headers }).then((gone) => gone.text());
      }
      // Each costs five moves: the first is within the quota of a minute, and no other one.
      if (answers.filter((answer) => answer.startsWith("202")).length > 1) throw new Error(answers.join(", "));
      return answers.join(", ");
    },
  };
}

/** Paths that a replacement would copy into themselves. */
function patterns(world: string): Attack {
  return {
    name: "100 paths of replacement patterns",
    beside: true,
    run: async () => {
      const path = `${world.toUpperCase().replace(/^HTTP/, "http").replace("/WORLDS/", "/worlds/")}/v1/${
        PATTERNS.repeat(470)
      }`;
      const lengths = await Promise.all(Array.from({ length: 100 }, async () => {
        const answer = await fetch(path, { headers: authorized(KEYS.attacker) });
        const { length } = await answer.text();
        if (answer.status !== 404 || length > 2 * path.length + 500) {
          throw new Error(`${answer.status}, ${length} bytes`);
        }
        return length;
      }));
      return `100 x 404 of ${lengths[0]} bytes`;
    },
  };
}

/** What an operator sees of worlds whose names a client has chosen. */
function escapes(home: string, join: string): Attack {
  return {
    name: "names of worlds that act on a terminal",
    run: () => command(home, ["cluster", "worlds", "--join", join], [0]),
  };
}

/** Records of a worker, and of a world, that lead to somebody else. */
async function forgedRecords(nats: string, gateway: string): Promise<Attack> {
  let asked = 0;
  const secret = createServer((_, response) => {
    asked++;
    response.end("{}");
  });
  await new Promise<void>((resolve) => secret.listen(0, "127.0.0.1", resolve));
  secret.unref();
  const url = `http://127.0.0.1:${(secret.address() as AddressInfo).port}`;
  return {
    name: "records of a worker that lead elsewhere",
    beside: true,
    run: async () => {
      const broker = await connectBroker({ servers: nats, name: "forger" });
      try {
        const record = { pool: "default", fingerprint: "f", slots: 400, used: 0, draining: false, version: "1" };
        await broker.workers.create("forged", { ...record, epoch: "e", url });
        const owner = { worker: "forged", epoch: "e", fence: 1, url };
        const common = { pool: "default", tenant: "attacker", created_at: "2026-01-01T00:00:00.000Z", since: 1 };
        await broker.sessions.create(FORGED, { ...common, generation: 1, phase: "ready", owner });
        const headers = { ...authorized(KEYS.attacker), prefer: "wait=0" };
        const answers: string[] = [];
        for (const path of ["session", "events", "session/media/frame"]) {
          const answer = await fetch(`${gateway}/worlds/${FORGED}/v1/world/${path}`, { headers });
          answers.push(`${answer.status} ${(await answer.json()).error?.code ?? ""}`);
        }
        if (asked > 0) throw new Error(`the secret server was asked ${asked} times`);
        if (!answers.every((answer) => answer.startsWith("503"))) throw new Error(answers.join(", "));
        return answers.join(", ");
      } finally {
        await broker.close();
      }
    },
  };
}
