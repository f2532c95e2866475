import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { convertTensors } from "../../../lib/store/convert/convert_tensors.ts";
import { convertWorld } from "../../../lib/store/convert/world/convert_world.ts";
import { ownedTemporary, removeDeadTemporaries } from "../../../lib/platform/files/owned_temporary.ts";
import { programArguments, ROOT } from "../../support/program_arguments.ts";
import { withFolder } from "../../support/temporary_folder.ts";
import { tinyArworld } from "../../support/tiny_arworld.ts";

const never = new AbortController().signal;
const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** A process that converts and kills itself at a step. */
const program = (call: string, step: string, count: number): string => `
  import process from "node:process";
  import { convertWorld } from ${JSON.stringify(new URL("lib/store/convert/world/convert_world.ts", `file://${ROOT}`))};
  import { convertTensors } from ${JSON.stringify(new URL("lib/store/convert/convert_tensors.ts", `file://${ROOT}`))};
  let steps = 0;
  const onTransfer = ({ step }) => {
    if (step === ${JSON.stringify(step)} && ++steps === ${count}) process.kill(process.pid, "SIGKILL");
  };
  await ${call};
`;

function killed(folder: string, call: string, step: string, count: number): void {
  const script = join(folder, "convert.mts");
  writeFileSync(script, program(call, step, count));
  const config = "Deno" in globalThis ? ["--config", join(ROOT, "deno.json")] : [];
  const { signal, stderr } = spawnSync(process.execPath, [...programArguments(), ...config, script], { cwd: ROOT });
  assert.equal(signal, "SIGKILL", `${stderr}`);
}

test("what a killed conversion of a world left is gone after the next run, and no file of anybody else's", () =>
  withFolder(async (folder) => {
    const { causal } = tinyArworld();
    const source = join(folder, "source");
    mkdirSync(source);
    for (const [name, bytes] of causal) writeFileSync(join(source, name), bytes);
    const output = join(folder, "out");
    const options = { output, parts: [{ part: "causal", source, type: "q8" } as const] };
    for (const [step, count] of [["hash", 1], ["convert", 1], ["convert", 30]] as const) {
      killed(folder, `convertWorld(${JSON.stringify(options)}, onTransfer, new AbortController().signal)`, step, count);
      assert.equal(existsSync(join(output, "server.lock")), true);
    }
    const others = [`.notes.txt.${ID}.tmp`, ".conversion.json.mine.tmp", "conversion.json.tmp", `.${ID}.tmp`];
    for (const name of others) writeFileSync(join(output, name), "mine");
    writeFileSync(join(output, `.conversion.json.${ID}.tmp`), "{");
    mkdirSync(join(output, `.server.lock.${ID}.tmp`));
    for (const name of ["config", "tokenizer"]) {
      mkdirSync(join(output, "base"), { recursive: true });
      writeFileSync(join(output, "base", `.${name}.json.${ID}.tmp`), "{");
    }
    writeFileSync(join(output, "base", `.vae.safetensors.${ID}.tmp`), "mine");
    await convertWorld(options, () => {}, never);
    assert.deepEqual(readdirSync(output).sort(), ["base", "causal", "conversion.json", ...others].sort());
    assert.deepEqual(readdirSync(join(output, "base")), [`.vae.safetensors.${ID}.tmp`]);
    assert.deepEqual(readdirSync(join(output, "causal")).sort(), ["config.json", "model.safetensors"]);
    assert.equal(JSON.parse(readFileSync(join(output, "conversion.json"), "utf8")).causal.weights.length > 30, true);
  }));

test("weights that were whole when a run was killed keep their report, and unfinished ones of another type go", () =>
  withFolder(async (folder) => {
    const { causal } = tinyArworld();
    for (const [name, bytes] of causal) writeFileSync(join(folder, name), bytes);
    const source = join(folder, "model.safetensors");
    const convert = async (type: "q8" | "f16") => {
      const [part] = await convertWorld(
        { output: join(folder, "out"), parts: [{ part: "causal", source, type }] },
        () => {},
        never,
      );
      return part;
    };
    const first = await convert("q8");
    const file = join(folder, "out", "causal", "model.safetensors");
    const reports = first.weights.map((report) => JSON.stringify(report));
    // Killed after the weights were given their name, and before they were recorded.
    writeFileSync(`${file}.journal`, `${reports.join("\n")}\n`);
    writeFileSync(join(folder, "out", "conversion.json"), "{}");
    const second = await convert("q8");
    assert.deepEqual([second.found, second.weights], [true, first.weights]);
    // Killed while it wrote others.
    writeFileSync(`${file}.partial`, readFileSync(file).subarray(0, 5000));
    writeFileSync(`${file}.journal`, reports[0].replace("q8", "f16"));
    assert.deepEqual((await convert("q8")).weights, first.weights);
    assert.deepEqual(readdirSync(join(folder, "out", "causal")).sort(), ["config.json", "model.safetensors"]);
    for (const ending of ["partial", "journal"]) {
      const mine = `${file}.${ending}`;
      writeFileSync(mine, "a diary");
      await convert("q8"); // nothing is to be written
      await assert.rejects(convert("f16"), {
        code: "output_exists",
        message: new RegExp(`${ending}: it exists and no`),
      });
      assert.equal(readFileSync(mine, "utf8"), "a diary");
      writeFileSync(mine, "");
    }
    assert.equal((await convert("f16")).found, false);
  }));

test("what a killed conversion of tensors left is gone after the next run", () =>
  withFolder(async (folder) => {
    const source = join(folder, "model.safetensors");
    writeFileSync(source, tinyArworld().causal.get("model.safetensors")!);
    const output = join(folder, "out", "all.safetensors");
    const call = `convertTensors(${JSON.stringify({ source, output })}, onTransfer, new AbortController().signal)`;
    killed(folder, call, "convert", 3);
    const [left] = readdirSync(join(folder, "out"));
    assert.match(left, /^\.all\.safetensors\..*\.tmp$/);
    const others = [`.all.safetensors.${ID}.tmp`, ".all.safetensors.tmp", `.all.safetensors.1-2-${ID}.tmp`];
    for (const name of others) writeFileSync(join(folder, "out", name), "mine");
    await convertTensors({ source, output }, () => {}, never);
    assert.deepEqual(readdirSync(join(folder, "out")).sort(), [...others, "all.safetensors"].sort());
    // A run that has nothing to do clears up, too.
    writeFileSync(join(folder, "out", left), "");
    assert.equal((await convertTensors({ source, output }, () => {}, never)).found, true);
    assert.equal(existsSync(join(folder, "out", left)), false);
  }));

test("removeDeadTemporaries() respects processes that run, and those that it cannot see for a day", () =>
  withFolder(async (folder) => {
    const path = join(folder, "file");
    const starts = new Map([[7, "70"], [8, "80"]]);
    const machine = (pid: number, scope: string) => ({
      pid,
      isRunning: (id: number) => starts.has(id),
      startTime: (id: number) => starts.get(id),
      scope: () => Promise.resolve(scope),
    });
    const names = [
      await ownedTemporary(path, machine(7, "here")),
      await ownedTemporary(path, { ...machine(8, "here"), startTime: () => "79" }),
      await ownedTemporary(path, { ...machine(9, "here"), startTime: () => "90" }),
      await ownedTemporary(path, { ...machine(9, "there"), startTime: () => "90" }),
    ];
    for (const name of names) writeFileSync(name, "");
    const left = async (now: number) => {
      await removeDeadTemporaries(path, machine(8, "here"), now);
      return names.map((name) => existsSync(name));
    };
    const now = Date.now();
    utimesSync(names[3], now / 1000, now / 1000);
    assert.deepEqual(await left(now), [true, false, false, true]);
    assert.deepEqual(await left(now + 23 * 3600 * 1000), [true, false, false, true]);
    assert.deepEqual(await left(now + 25 * 3600 * 1000), [true, false, false, false]);
    await removeDeadTemporaries(join(folder, "none", "file"), machine(8, "here"));
  }));
