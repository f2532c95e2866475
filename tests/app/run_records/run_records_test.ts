import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { recordRun, type RunPlan } from "../../../lib/api/service/run_recorder.ts";
import { listRuns } from "../../../lib/app/run_records/list_runs.ts";
import { runListJson, runListLines } from "../../../cli/records/records.ts";
import { runRecordFolder } from "../../../lib/app/run_records/run_record_folder.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import { withFolder } from "../../support/temporary_folder.ts";

const signal = new AbortController().signal;
const options = { maxDepth: 4, limit: 50 };

/** Times that each differ by a second. */
function clock(): () => Date {
  let seconds = 0;
  return () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++));
}

function planOf(folder: string): RunPlan {
  const path = join(folder, "upload-0");
  writeFileSync(path, "sound");
  return {
    requested: { model: "whisper-1", response_format: "json" },
    effective: { model: "tiny", format: "json" },
    inputs: [{ name: "audio", path, filename: "../My Talk.WAV" }],
  };
}

// deno-lint-ignore no-explicit-any -- the shape of a record is what is tested
const read = (path: string): any => JSON.parse(readFileSync(path, "utf8"));
const sha = (text: string) =>
  crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)).then((digest) =>
    [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  );

test("the record of a transcription has what was asked, what ran, and its files with their hashes", () =>
  withFolder(async (folder) => {
    const root = join(folder, "records");
    mkdirSync(root);
    const recorder = runRecordFolder({ kind: "transcription", root, now: clock() });
    const result = await recordRun(recorder, () => planOf(folder), signal, async () => {
      const [entry] = (await listRuns(root, options)).entries;
      assert.deepEqual([entry.state, entry.status], ["running", "active"]);
      const content = new TextEncoder().encode("hello\n");
      return { result: 7, outputs: () => [{ name: "transcript.txt", content }] };
    });
    assert.equal(result, 7);
    const [name] = readdirSync(root);
    assert.match(name, /^transcription-[0-9a-f-]{36}$/);
    const place = join(root, name);
    assert.deepEqual(readdirSync(place).sort(), ["inputs", "transcript.txt", "transcription-run.json"]);
    const artifact = async (file: string, text: string) => ({
      url: pathToFileURL(join(place, file)).href,
      sha256: await sha(text),
      byteCount: text.length,
    });
    assert.deepEqual(read(join(place, "transcription-run.json")), {
      schemaVersion: 1,
      id: name.slice("transcription-".length),
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:03.000Z",
      state: "succeeded",
      requested: { model: "whisper-1", response_format: "json" },
      effective: { model: "tiny", format: "json" },
      input: await artifact("inputs/audio.wav", "sound"),
      artifacts: [await artifact("transcript.txt", "hello\n")],
    });
    const files = ["inputs/audio.wav", "transcript.txt", "transcription-run.json"];
    for (const file of files) assert.equal(statSync(join(place, file)).mode & 0o777, 0o600, file);
    for (const file of ["", "inputs"]) assert.equal(statSync(join(place, file)).mode & 0o777, 0o700, file);
  }));

test("failures and cancellations are recorded with their reasons, and stay those of the operation", () =>
  withFolder(async (root) => {
    const recorder = runRecordFolder({ kind: "image", root, now: clock() });
    const plan = () => ({ ...planOf(root), details: { modelSelector: "gpt-image-1" } });
    const failure = new SvcError("memory_pressure", "Cannot load it: no room");
    await assert.rejects(recordRun(recorder, plan, signal, () => Promise.reject(failure)), failure);
    const secret = new Error("path /secret");
    await assert.rejects(recordRun(recorder, plan, signal, () => Promise.reject(secret)), secret);
    const left = AbortSignal.abort();
    await assert.rejects(recordRun(recorder, plan, left, () => Promise.reject(left.reason)));
    const { entries } = await listRuns(root, options);
    assert.deepEqual(entries.map(({ state, status }) => [state, status]), [
      ["cancelled", "cancelled"],
      ["failed", "failed"],
      ["failed", "failed"],
    ]);
    const records = entries.map(({ path }) => read(join(path, "image-run.json")));
    assert.deepEqual(records.map(({ issue }) => issue.code), [
      "client_disconnected",
      "internal_error",
      "memory_pressure",
    ]);
    assert.doesNotMatch(JSON.stringify(records), /secret/);
    assert.equal(records[0].modelSelector, "gpt-image-1");
    assert.equal(records[0].inputs.length, 1);
  }));

test("an operation whose record cannot be started does not run, and leaves nothing", () =>
  withFolder(async (folder) => {
    const root = join(folder, "records");
    mkdirSync(root);
    const recorder = runRecordFolder({ kind: "transcription", root });
    const plan = planOf(folder);
    rmSync(plan.inputs[0].path);
    const run = () => recordRun(recorder, () => plan, signal, () => Promise.reject(new Error("it ran")));
    await assert.rejects(run, { code: "write_failed" });
    assert.deepEqual(readdirSync(root), []);
    rmSync(root, { recursive: true });
    writeFileSync(root, "");
    await assert.rejects(run, { code: "write_failed" });
  }));

test("without a recorder an operation just runs", async () => {
  const work = () => Promise.resolve({ result: 1, outputs: () => assert.fail("nothing is kept") });
  assert.equal(await recordRun(undefined, () => assert.fail("there is no plan"), signal, work), 1);
});

/** A process that starts a record and waits. */
const program = (root: string): string => `
  import { runRecordFolder } from ${
  JSON.stringify(new URL("../../../lib/app/run_records/run_record_folder.ts", import.meta.url).href)
};
  await runRecordFolder({ kind: "transcription", root: ${JSON.stringify(root)} })
    .begin({ requested: {}, effective: {}, inputs: [] });
  console.log("begun");
  setInterval(() => {}, 1000);
`;

test("the record of a killed server is found to be interrupted", () =>
  withFolder(async (folder) => {
    const root = join(folder, "records");
    mkdirSync(root);
    const script = join(folder, "begin.mts");
    writeFileSync(script, program(root));
    const project = fileURLToPath(new URL("../../../", import.meta.url));
    const args = "Deno" in globalThis
      ? ["run", "-A", "--no-check", "--config", join(project, "deno.json"), script]
      : ["--import", "tsx", script];
    const child = spawn(process.execPath, args, { cwd: project, stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => child.stdout.once("data", resolve));
    const state = async () => (await listRuns(root, options)).entries.map(({ state }) => state);
    assert.deepEqual(await state(), ["running"]);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    assert.deepEqual(await state(), ["interrupted"]);
  }));

test("a list is sorted, bounded and not misled by other files in the folder", () =>
  withFolder(async (folder) => {
    const root = join(folder, "records");
    const now = clock();
    for (const below of ["a", "a/b/c"]) {
      mkdirSync(join(root, below), { recursive: true });
      const recorder = runRecordFolder({ kind: "image", root: join(root, below), now });
      const plan = { requested: { prompt: "a \u001b[31mred\u001b[0m\nfox" }, effective: { model: "m" }, inputs: [] };
      const work = () => Promise.resolve({ result: 0, outputs: () => [] });
      await recordRun(recorder, () => plan, signal, work);
    }
    const broken: [string, string][] = [["x", "{"], ["y", '{"id":1}'], ["z", "null"]];
    for (const [name, text] of broken) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, "image-run.json"), text);
    }
    symlinkSync(folder, join(root, "loop"));
    const all = await listRuns(root, options);
    assert.deepEqual(all.entries.map(({ state, depth }) => [state, depth]), [
      ["succeeded", 4],
      ["succeeded", 2],
      ...broken.map(() => ["unreadable", 1]),
    ]);
    assert.equal(all.entry_count, 5);
    assert.equal(all.entries[0].relative_path.split(/[\\/]/).slice(0, 3).join("/"), "a/b/c");
    assert.equal((await listRuns(root, { maxDepth: 2, limit: 50 })).entry_count, 4);
    const one = await listRuns(root, { maxDepth: 4, limit: 1 });
    assert.deepEqual([one.entry_count, one.entries.length], [5, 1]);
    const lines = runListLines(one);
    assert.match(
      lines,
      /^2026-01-01 00:00:0\d {2}image {2}succeeded {2}[0-9a-f-]{36} {2}m: a \\u001b\[31mred\\u001b\[0m\\u000afox\n/,
    );
    assert.match(lines, /and 4 older ones, which --limit leaves out\n$/);
    const json = JSON.parse(runListJson(one, { version: "1.2.3", now: new Date(0) }));
    assert.equal(json.svc_version, "1.2.3");
    assert.deepEqual(json.result, JSON.parse(JSON.stringify(one)));
    assert.match(runListLines(await listRuns(join(root, "x", ".."), { maxDepth: 0, limit: 1 })), /^No records in /);
  }));
