/**
 * The pack for a machine without Node and network, run as it is run there except for its sizes: from a folder
 * elsewhere, with an empty environment, on the software adapter.
 *
 * @module
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { softwareAdapterEnv } from "../../../scripts/software_adapter.mjs";
import { withFolder } from "../../support/temporary_folder.ts";
import type { ProofSummary } from "./report.ts";

/** All but PyTorch, which few machines have, and gigabytes of weights. */
const PARTS = ["adapter", "operators", "speed", "pass", "decoder", "embedded_world", "goldens", "cancel"];

const adapter = softwareAdapterEnv();
const skip = !adapter.ok ? adapter.reason : spawnSync("xz", ["--version"]).status === 0 ? false : "xz is not installed";

function summaryOf(out: string): ProofSummary {
  return JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
}

test("proof:gpu --pack makes a folder that proves an adapter by itself", { skip }, async () => {
  await withFolder(async (folder) => {
    assert.ok(adapter.ok);
    const { pack } = await import("../../../scripts/gpu/pack.mjs");
    await pack({ folder: join(folder, "pack"), quick: true });
    const [out, work] = [join(folder, "out"), join(folder, "work")];
    // What an operating system has, and the software adapter in the place of a driver.
    const { VK_DRIVER_FILES, VK_ICD_FILENAMES, LD_LIBRARY_PATH } = adapter.env;
    const env = {
      ...{ PATH: "/usr/bin:/bin", VK_DRIVER_FILES, VK_ICD_FILENAMES, LD_LIBRARY_PATH },
      ...{ OUT: out, SVC_PROOF_WORK: work, SVC_PROOF_SMALL: "1" },
    };
    const whole = spawnSync("bash", [join(folder, "pack/run.sh")], {
      ...{ cwd: folder, env: { ...env, SVC_PROOF_PARTS: PARTS.join(",") }, encoding: "utf8" },
    });
    const log = `${whole.stdout}${whole.stderr}\n${readFileSync(join(out, "parts.log"), "utf8")}`;
    assert.equal(whole.status, 0, log);
    const { runs, parts } = summaryOf(out);
    assert.deepEqual(runs.map(({ name, problem }) => [name, problem]), PARTS.map((name) => [name, undefined]), log);
    for (const name of PARTS) assert.equal(parts[name].ended, true, `${name} did not write its results\n${log}`);
    assert.ok(parts.operators.f32.cases > 100);
    assert.ok(parts.goldens.f32.PASS > 0);
    assert.match(readFileSync(join(out, "report.md"), "utf8"), /A rehearsal with tiny sizes/);

    // A part that fails does not keep the others from running, and shows in the exit code.
    writeFileSync(join(work, "app/tests/proof/gpu/shapes.json"), "{");
    const broken = spawnSync(join(work, "node"), [
      join(work, "app/tests/proof/gpu/run_parts.mjs"),
      ...[out, "--parts", "adapter,speed,goldens"],
    ], { cwd: folder, env, encoding: "utf8" });
    assert.equal(broken.status, 1);
    assert.deepEqual(
      summaryOf(out).runs.map(({ name, problem }) => [name, problem]),
      [["adapter", undefined], ["speed", "failed (1)"], ["goldens", undefined]],
    );

    // Without any driver there is nothing to prove, and the end says so.
    const bare = spawnSync("bash", [join(folder, "pack/run.sh")], {
      ...{ cwd: folder, env: { ...env, VK_DRIVER_FILES: "/nothing", VK_ICD_FILENAMES: "/nothing" }, encoding: "utf8" },
    });
    assert.equal(bare.status, 3, `${bare.stdout}${bare.stderr}`);
    assert.deepEqual(summaryOf(out).runs.map(({ problem }) => problem), ["no adapter"]);
  });
});

test("npm run proof:gpu says what is missing on a machine without a GPU", { skip }, () => {
  const env = { ...process.env, VK_DRIVER_FILES: "/nothing", VK_ICD_FILENAMES: "/nothing" };
  const { status, stderr } = spawnSync(process.execPath, ["scripts/gpu/proof.mjs"], {
    ...{ cwd: new URL("../../../", import.meta.url), env, encoding: "utf8" },
  });
  assert.equal(status, 3, stderr);
  assert.match(stderr, /WebGPU found no GPU on this machine.*--software.*--pack/s);
});
