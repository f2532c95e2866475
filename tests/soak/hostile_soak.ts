/**
 * `deno run -A tests/soak/hostile_soak.ts [--only TEXT] [world|api|imports|files|fleet]`: hostile requests and files at
 * both servers with real models, at commands and at a fleet, in processes of the runtime that runs this. Meanwhile
 * `/health` must answer within a second and, where an attack lasts, another client be served within five (`SVC_CROWDED=4`
 * takes four times as long on a machine that others use); the server keeps within its memory; after each attack a legal
 * request must work. Prints what each was answered; ends with status 1 when something was wrong.
 *
 * @module
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { printTable } from "../bench/table.ts";
import { withApiProcess } from "../support/api_process.ts";
import { withoutNats } from "../support/nats_server.ts";
import { startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { apiAttacks } from "./hostile/api_attacks.ts";
import { type Attack, attack, type AttackResult } from "./hostile/attack.ts";
import { connectionAttacks } from "./hostile/connection_attacks.ts";
import { fleetAttacks } from "./hostile/fleet_attacks.ts";
import { formAttacks } from "./hostile/form_attacks.ts";
import { importedWorldAttacks } from "./hostile/imported_world.ts";
import { keyAttack } from "./hostile/key_attack.ts";
import { checkLog, endWell } from "./hostile/moves.ts";
import { modelFileAttacks } from "./hostile/stranger_files.ts";
import { idle, worldAttacks } from "./hostile/world_attacks.ts";

const { values: { only }, positionals } = parseArgs({ options: { only: { type: "string" } }, allowPositionals: true });
const isChosen = (name: string) => only === undefined || name.includes(only);
const chosen = (attacks: readonly Attack[]) => attacks.filter(({ name }) => isChosen(name));
const rows: string[][] = [];
/** Megabytes of a world server, by its flag, and of an API server with six engines of tiny models. */
const WORLD = 2048;
const API = 4096;
const wants = (name: string) => positionals.length === 0 || positionals.includes(name);

function report(server: string): (result: AttackResult) => void {
  return ({ name, answer, milliseconds, health, others, megabytes, isFine }) => {
    const measured = [milliseconds, health, others, megabytes].map((n) => n?.toFixed(0) ?? "");
    rows.push([server, name, answer.slice(0, isFine ? 160 : 600), ...measured, isFine ? "" : "WRONG"]);
    process.stdout.write(`${rows.at(-1)!.join(" | ")}\n`);
  };
}

/** One block of a new walk. */
async function walk(url: string): Promise<void> {
  const client = new WorldClient(url);
  await idle(url);
  await client.uploadSource(await client.startImage());
  const { jobId } = await client.startRollout({ prompt: "a hall", actionSeq: ["w"], numOutputFrames: 3 });
  await client.awaitJob(jobId);
}

async function chat(url: string): Promise<void> {
  const body = JSON.stringify({
    model: "tiny-chat",
    messages: [{ role: "user", content: "hi" }],
    max_completion_tokens: 2,
  });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`a chat was answered ${answer.status} ${text}`);
}

let isFine = true;
if (wants("world")) {
  await withFolder(async (folder) => {
    const server = startServer(
      ["--port=0", "--json", "--device=cpu", "--memory-limit-gb=2", `--state-directory=${folder}`],
    );
    try {
      const { url } = JSON.parse(await server.line);
      await walk(url);
      const attacks = [...connectionAttacks("/v1/world/session/rollouts"), ...worldAttacks];
      const watched = { legal: walk, pid: server.child.pid, megabytes: WORLD };
      isFine = await attack(url, chosen(attacks), watched, report("world")) && isFine;
    } finally {
      await endWell(server).catch((error) => {
        isFine = false;
        process.stdout.write(`${error}\n`);
      });
    }
  });
}
if (wants("api")) {
  const models = ["tiny-chat", "tiny-embed", "tiny-rerank", "tiny-vision", "tiny-transcription", "tiny-image"] as const;
  await withApiProcess({ models, args: ["--model=tiny-chat", "--max-active-requests=4"] }, async (server) => {
    await chat(server.url);
    const attacks = [...connectionAttacks("/v1/chat/completions"), ...apiAttacks, ...formAttacks];
    const watched = { legal: chat, beside: chat, pid: server.child.pid, megabytes: API };
    isFine = await attack(server.url, chosen(attacks), watched, report("api")) && isFine;
    checkLog(server.stderr());
  });
  if (only === undefined) isFine = await keyAttack(report("api with a key")) && isFine;
}
if (wants("files")) {
  await withApiProcess({ models: ["tiny-chat"], args: ["--model=tiny-chat"] }, async (server) => {
    await chat(server.url);
    const watched = { legal: chat, beside: chat, pid: server.child.pid, megabytes: API };
    isFine = await attack(server.url, chosen(modelFileAttacks(server.home)), watched, report("files")) && isFine;
    checkLog(server.stderr());
  });
}
if (wants("imports")) isFine = await importedWorldAttacks(isChosen, report("imports")) && isFine;
if (wants("fleet")) {
  if (withoutNats) process.stdout.write(`fleet: ${withoutNats}\n`);
  else isFine = await fleetAttacks(isChosen, report("fleet")) && isFine;
}
printTable(["server", "attack", "answer", "ms", "health, ms", "others, ms", "MB", ""], rows);
process.exit(isFine ? 0 : 1);
