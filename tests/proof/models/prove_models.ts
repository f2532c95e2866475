/**
 * `deno task proof:models`: every real model of `npm run models` beside a program that runs it independently, in one
 * table. Models that are not installed are fetched into the cache of the tests. `SVC_PYTHON` names an interpreter that has
 * the packages of requirements.txt; otherwise pip installs them once.
 */
// deno-lint-ignore-file no-console
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pythonVenv } from "../../../scripts/python_venv.mjs";
import { openModels } from "../../../lib/app/models/open_models.ts";
import { PACKAGED_MODELS } from "../../../lib/store/packaged/packaged_models.ts";
import { printMachine, printTable } from "../../bench/table.ts";
import { type FoundModel, linkModels, realModel } from "../../support/real_models.ts";
import { proveChat } from "./chat_proof.ts";
import { proveEmbeddings } from "./embedding_proof.ts";
import type { ProofRow } from "./proof_row.ts";
import { proveSpeech, proveTranscription } from "./sound_proof.ts";

const parts = { chat: proveChat, embeddings: proveEmbeddings, speech: proveSpeech, transcription: proveTranscription };

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`svc: unknown part ${unknown.join(", ")}; the parts are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}

const found = process.env.SVC_PYTHON ? { ok: true as const, python: process.env.SVC_PYTHON } : pythonVenv(
  "real_models",
  11,
  { file: "tests/proof/models/requirements.txt", required: false },
);
if (!found.ok) {
  console.error(`svc: real models are not compared with other programs: ${found.reason}`);
  process.exit(1);
}

const missing: string[] = [];
const installed = new Map<string, FoundModel>();
for (const { id } of PACKAGED_MODELS) {
  const model = await realModel(id);
  if (model.ok) installed.set(id, model);
  else missing.push(model.reason);
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "svc-proof-")));
process.env.SVC_HOME = folder;
await linkModels(folder, [...installed.values()]);
const rows: ProofRow[] = [];
const failed: string[] = [];
const add = (row: ProofRow): void => {
  rows.push(row);
  console.error(`${row.ok ? "ok" : "NOT OK"} ${row.model} beside ${row.beside}: ${row.found} (bound: ${row.bound})`);
};
const models = await openModels({ device: "cpu", threads: 1, memoryGuard: { tier: "off" } });
try {
  for (const [name, prove] of Object.entries(parts)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    try {
      await prove({ models, installed, python: found.python, folder, add });
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
} finally {
  await models.close();
  rmSync(folder, { recursive: true, force: true });
}

printMachine();
printTable(
  ["Model", "Compared with", "Found", "Bound", "Speed"],
  rows.map(({ model, beside, found, bound, speed }) => [model, beside, found, bound, speed ?? ""]),
);
for (const reason of missing) console.log(`svc: not run: ${reason}`);
for (const reason of failed) console.error(`svc: failed: ${reason}`);
const beyond = rows.filter(({ ok }) => !ok);
for (const { model, beside, found, bound } of beyond) {
  console.error(`svc: ${model} beside ${beside} is beyond its bound: ${found}, expected ${bound}`);
}
// What CI is meant to run must run there.
const ok = failed.length === 0 && beyond.length === 0 && (process.env.CI !== "true" || missing.length === 0);
process.exit(ok ? 0 : 1);
