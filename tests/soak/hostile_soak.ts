/**
 * `deno run -A tests/soak/hostile_soak.ts [--only TEXT] [world|api]`: hostile requests at both servers with real models,
 * in processes of the runtime that runs this. Meanwhile `/health` must answer within a second, and after each attack a
 * legal request must work. Prints what each was answered; ends with status 1 when something was wrong.
 *
 * @module
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { printTable } from "../bench/table.ts";
import { withApiProcess } from "../support/api_process.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { apiAttacks } from "./hostile/api_attacks.ts";
import { type Attack, attack, type AttackResult } from "./hostile/attack.ts";
import { connectionAttacks } from "./hostile/connection_attacks.ts";
import { keyAttack } from "./hostile/key_attack.ts";
import { formAttacks } from "./hostile/form_attacks.ts";
import { idle, worldAttacks } from "./hostile/world_attacks.ts";

const { values: { only }, positionals } = parseArgs({ options: { only: { type: "string" } }, allowPositionals: true });
const chosen = (attacks: readonly Attack[]) => attacks.filter(({ name }) => only === undefined || name.includes(only));
const rows: string[][] = [];
const wants = (name: string) => positionals.length === 0 || positionals.includes(name);

function report(server: string): (result: AttackResult) => void {
  return ({ name, answer, milliseconds, health, isFine }) => {
    rows.push([server, name, answer.slice(0, 160), milliseconds.toFixed(0), String(health), isFine ? "" : "WRONG"]);
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
      isFine = await attack(url, chosen(attacks), walk, report("world")) && isFine;
    } finally {
      if (server.child.exitCode === null) end(server, "SIGTERM");
      if (await server.exit !== 0) isFine = false;
    }
  });
}
if (wants("api")) {
  const models = ["tiny-chat", "tiny-embed", "tiny-rerank", "tiny-vision", "tiny-transcription", "tiny-image"] as const;
  await withApiProcess({ models, args: ["--model=tiny-chat", "--max-active-requests=4"] }, async ({ url }) => {
    await chat(url);
    const attacks = [...connectionAttacks("/v1/chat/completions"), ...apiAttacks, ...formAttacks];
    isFine = await attack(url, chosen(attacks), chat, report("api")) && isFine;
  });
  if (only === undefined) isFine = await keyAttack(report("api with a key")) && isFine;
}
printTable(["server", "attack", "answer", "ms", "health, ms", ""], rows);
process.exit(isFine ? 0 : 1);
