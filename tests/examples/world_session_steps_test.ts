import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { startOwnServer } from "../../cli/walk/walk_server.ts";
import { makeTemporaryDirectory } from "../../lib/platform/files/work_folder.ts";
import { programArguments, ROOT } from "../support/program_arguments.ts";

const page = readFileSync(join(ROOT, "docs/world-session.md"), "utf8");
const section = /^## Every step in curl, TypeScript and Python\n([\s\S]*?)^## /m.exec(page)![1];

/** The program that the blocks of a language are. */
function programOf(language: string, url: string): string {
  const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, one]) => one === language);
  assert.equal(blocks.length, 6);
  return blocks.map(([, , text]) => text).join("\n").replaceAll("http://127.0.0.1:8791", url);
}

let server: Awaited<ReturnType<typeof startOwnServer>>;
let folder: Awaited<ReturnType<typeof makeTemporaryDirectory>>;

before(async () => {
  [server, folder] = await Promise.all([startOwnServer(), makeTemporaryDirectory()]);
  mkdirSync(join(folder.path, "examples"));
  copyFileSync(join(ROOT, "examples/corridor.png"), join(folder.path, "examples/corridor.png"));
});

after(async () => {
  await server.close();
  await folder.remove();
});

/** Runs a program in the folder; gives the last word of each line that it printed. */
async function run(command: string, args: readonly string[]): Promise<string[]> {
  for (const name of ["move.mp4", "move.png"]) rmSync(join(folder.path, name), { force: true });
  const output = await new Promise<string>((resolve, reject) =>
    execFile(command, [...args], { cwd: folder.path }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    })
  );
  assert.equal(readFileSync(join(folder.path, "move.mp4")).toString("latin1", 4, 8), "ftyp");
  assert.equal(readFileSync(join(folder.path, "move.png")).toString("latin1", 1, 4), "PNG");
  return output.trim().split("\n");
}

const without = (program: string) =>
  spawnSync(program, ["--version"]).status === 0 ? false : `${program} is not installed`;

test("the steps of the guide walk with curl", { skip: without("curl") || without("bash") }, async () => {
  const lines = await run("bash", ["-ec", programOf("sh", server.url)]);
  assert.deepEqual(lines.slice(-3), ['"transition_count":1', '"replayed":true', '"phase":"cold"']);
});

test("the steps of the guide walk from TypeScript", async () => {
  const client = new URL("../../lib/world/client/mod.ts", import.meta.url).href;
  const file = join(folder.path, "steps.mts");
  writeFileSync(file, programOf("ts", server.url).replace("@svc/sdk/client", client));
  const lines = await run(process.execPath, [...programArguments(), file]);
  assert.deepEqual(lines.slice(1), ["1", "true", "cold"]);
  assert.ok(Number(lines[0]) > 0);
});

test("the steps of the guide walk from Python", { skip: without("python3") }, async () => {
  const lines = await run("python3", ["-c", programOf("python", server.url)]);
  assert.deepEqual(lines.slice(1), ["1", "True", "cold"]);
  assert.ok(Number(lines[0]) > 0);
});
