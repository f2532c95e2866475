/**
 * `npm run proof:gpu`: measures the GPU of this machine and compares it with the CPU, in under nine minutes.
 *
 *   npm run proof:gpu                     writes docs/gpu/<card>.md and a row of docs/benchmarks.md
 *   npm run proof:gpu -- --software       rehearses with tiny sizes on software adapters; writes to .cache/gpu-proof
 *   npm run proof:gpu -- --pack [-o DIR]  makes a folder for a machine without Node and network (.gpu by default)
 *   npm run proof:gpu -- --results DIR    writes the report of what came back from there
 *   npm run proof:gpu -- --parts a,b      only these parts
 */
// deno-lint-ignore-file no-console
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { install, root } from "../install.mjs";

install();
const cwd = fileURLToPath(root);
const reports = fileURLToPath(new URL(".cache/gpu-proof/", root));
/** What `run_parts.ts` ends with when there is no adapter. */
const NO_ADAPTER = 3;
/** Gigabytes of weights, which take a software adapter minutes. */
const TOO_LARGE = "full_width";

/**
 * @param {string} problem
 * @returns {never}
 */
function usage(problem) {
  console.error(`svc: ${problem}; see the head of scripts/gpu/proof.mjs`);
  process.exit(2);
}

function readFlags() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        software: { type: "boolean", default: false },
        pack: { type: "boolean", default: false },
        output: { type: "string", short: "o", default: ".gpu" },
        results: { type: "string" },
        parts: { type: "string" },
      },
    });
    if (positionals.length > 0) usage(`unknown argument ${positionals[0]}`);
    return values;
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

const flags = readFlags();
if (flags.pack) {
  const { pack } = await import("./pack.mjs");
  await pack({ folder: flags.output });
} else if (flags.results !== undefined) {
  process.exit(publish(flags.results));
} else if (flags.software) {
  process.exit(await rehearse());
} else {
  process.exit(prove());
}

/**
 * Runs a program of the proof, on Node unless another runtime is given.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {Record<string, string>} [more]
 * @param {readonly string[]} [runtime]
 */
function runProgram(name, args, more = {}, runtime = ["--import", "tsx"]) {
  const env = { ...process.env, SVC_PROOF_COMMIT: commit(), ...more };
  const file = fileURLToPath(new URL(`tests/proof/gpu/${name}.ts`, root));
  return spawnSync(process.execPath, [...runtime, file, ...args], { cwd, env, stdio: "inherit" }).status ?? 1;
}

/** The commit of the clone. */
function commit() {
  const { stdout } = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd, encoding: "utf8" });
  return stdout?.trim() || "unknown";
}

/** Measures the GPU here. */
function prove() {
  const out = `${reports}here`;
  mkdirSync(out, { recursive: true });
  const parts = flags.parts === undefined ? [] : ["--parts", flags.parts];
  // Without quantised timestamps Dawn times short dispatches; a parent's choice of toggles comes first.
  const status = runProgram("run_parts", [out, ...parts], {
    SVC_DAWN_DISABLE: process.env.SVC_DAWN_DISABLE ?? "timestamp_quantization",
  });
  if (status === NO_ADAPTER) {
    console.error(
      "svc: Cannot prove the GPU: WebGPU found no GPU on this machine, expected one with a driver. Install the driver of " +
        "the GPU, on Linux also a Vulkan loader (Debian and Ubuntu: apt-get install libvulkan1); rehearse without a GPU " +
        "with npm run proof:gpu -- --software; for a machine without Node or network make a folder with npm run " +
        "proof:gpu -- --pack",
    );
    return status;
  }
  console.log(`svc: the logs are in ${out}`);
  return publish(out) || status;
}

/**
 * Writes the docs of what a proof found.
 *
 * @param {string} folder
 */
function publish(folder) {
  const status = runProgram("publish_report", [folder]);
  if (status !== 0) return status;
  const deno = ["node_modules/deno/bin.cjs", "fmt", "--quiet", "docs/gpu", "docs/benchmarks.md"];
  return spawnSync(process.execPath, deno, { cwd, stdio: "inherit" }).status ?? 1;
}

/** Runs everything with tiny sizes on each software adapter that is here. */
async function rehearse() {
  const { lavapipeEnv, softwareAdapterEnv } = await import("../software_adapter.mjs");
  const adapters = { swiftshader: softwareAdapterEnv(), lavapipe: lavapipeEnv() };
  let failed = 0;
  let ran = 0;
  for (const [name, adapter] of Object.entries(adapters)) {
    if (!adapter.ok) {
      console.error(`svc: ${name} is left out: ${adapter.reason}; ${adapter.remedy}`);
      continue;
    }
    const out = `${reports}${name}`;
    mkdirSync(out, { recursive: true });
    // Mesa complains on stderr where no session has made this folder.
    const small = { XDG_RUNTIME_DIR: tmpdir(), ...adapter.env, SVC_PROOF_SMALL: "1" };
    // Dawn refuses the lavapipe of older systems, Deno's WebGPU takes it.
    const runtime = name === "lavapipe" ? ["node_modules/deno/bin.cjs", "run", "-A", "--no-check"] : undefined;
    const parts = flags.parts ?? `adapter,operators,speed,pass,decoder,pytorch,embedded_world,goldens,cancel`;
    const status = runProgram("run_parts", [out, "--parts", parts], small, runtime);
    console.log(`svc: the rehearsal on ${name} is in ${out}`);
    if (!flags.parts) console.log(`svc: the part ${TOO_LARGE} is for GPUs only`);
    ran++;
    if (status !== 0) failed = status;
  }
  return ran === 0 ? 1 : failed;
}
