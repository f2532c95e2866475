/**
 * `npm test`: installs what is missing, then runs every check and all tests on Deno and on Node.
 *
 *   npm test                 everything
 *   npm test -- deno node    only the named steps
 */
// deno-lint-ignore-file no-console
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { install, root } from "./install.mjs";

install();
const { rowsWithoutRun } = await import("./generate_conformance.mjs");
const { testOutcomes } = await import("./test_outcomes.mjs");
const { pythonVenv } = await import("./python_venv.mjs");
const { lavapipeEnv, softwareAdapterEnv } = await import("./software_adapter.mjs");
const adapter = softwareAdapterEnv();
if (!adapter.ok) console.error(`svc: tests of WebGPU kernels are skipped: ${adapter.reason}; ${adapter.remedy}`);

/** Why a step or a group of tests cannot run here. */
const unavailable = [];
if (!adapter.ok) unavailable.push(`tests of WebGPU kernels: ${adapter.reason}`);

const chosen = process.argv.slice(2);
const wants = (/** @type {string} */ name) => chosen.length === 0 || chosen.includes(name);
const python = wants("python") ? pythonVenv("openai_python", 9) : undefined;
if (python && !python.ok) {
  console.error(`svc: tests of the Python client are skipped: ${python.reason}`);
  unavailable.push(`tests of the Python client: ${python.reason}`);
}

const schemathesis = wants("schemathesis") ? pythonVenv("schemathesis", 11) : undefined;
if (schemathesis && !schemathesis.ok) {
  console.error(`svc: tests of the API descriptions with schemathesis are skipped: ${schemathesis.reason}`);
  unavailable.push(`tests of the API descriptions with schemathesis: ${schemathesis.reason}`);
}

const hasBrowser = process.env.SVC_NO_BROWSER !== "1";
if (!hasBrowser) {
  console.error("svc: tests of the page are skipped: SVC_NO_BROWSER is 1; unset it to run them");
  unavailable.push("tests of the page: SVC_NO_BROWSER is 1");
}

const cwd = fileURLToPath(root);
const deno = [process.execPath, "node_modules/deno/bin.cjs"];
const filesOf = (/** @type {string} */ ending) =>
  readdirSync(new URL("tests", root), { recursive: true })
    .filter((name) => name.endsWith(ending))
    .map((name) => `tests/${name.replaceAll("\\", "/")}`)
    .sort();
const testFiles = filesOf("_test.ts");
const pageFiles = filesOf("_in_browser.ts");

/** Whether a test starts processes, opens sockets or takes times: it runs alone, all others two at a time on Node. */
const needsCalm = (/** @type {string} */ file) =>
  /^tests\/(app|cli|clients|examples|http|platform|servers)\//.test(file) ||
  readFileSync(new URL(file, root), "utf8").includes("performance.now");
const onNode = [process.execPath, "--import", "tsx", "--test", "--test-reporter=spec"];

// SwiftShader has no 16-bit floats; where Mesa's software driver is installed, their kernels are tested on it.
const lavapipe = lavapipeEnv();
const steps = {
  format: [...deno, "fmt", "--check", "--quiet"],
  lint: [...deno, "lint", "--quiet"],
  check: [...deno, "task", "--quiet", "check"],
  deno: [...deno, "test", "-A", "--no-check", ...testFiles],
  ...(lavapipe.ok && { half: [...deno, "test", "-A", "--no-check", "tests/compute/webgpu/half_test.ts"] }),
  api: [process.execPath, "scripts/check_api.mjs"],
  docs: [...deno, "test", "-A", "--no-check", "--doc", "mod.ts", "lib"],
  node: [...onNode, "--test-concurrency=2", ...testFiles.filter((file) => !needsCalm(file))],
  "node-calm": [...onNode, "--test-concurrency=1", ...testFiles.filter(needsCalm)],
  ...(hasBrowser && {
    page: [...onNode, ...pageFiles],
  }),
  ...(python?.ok && {
    python: [process.execPath, "--import", "tsx", "--test", "tests/clients/openai_python/run_python_client.ts"],
  }),
  ...(schemathesis?.ok && {
    schemathesis: [process.execPath, "--import", "tsx", "--test", "tests/clients/schemathesis/run_schemathesis.ts"],
  }),
  build: [process.execPath, "scripts/build.mjs"],
  package: [process.execPath, "scripts/smoke.mjs"],
  jsr: [...deno, "publish", "--dry-run", "--allow-dirty", "--quiet"],
};

const unknown = chosen.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`svc: unknown test step ${unknown.join(", ")}; the steps are ${Object.keys(steps).join(", ")}`);
  process.exit(2);
}

const env = {
  ...process.env,
  ...(python?.ok && { SVC_TEST_PYTHON: python.python }),
  ...(schemathesis?.ok && { SVC_TEST_SCHEMATHESIS: schemathesis.python }),
  ...(adapter.ok ? { ...adapter.env, SVC_TEST_ADAPTER: "software" } : {}),
};

/** Lines of a failed step that are shown again after the last one, where a long log is read first. */
const LAST_LINES = 120;

/**
 * Runs a step, passes its output on as it comes and keeps the end of it.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {(piece: string) => void} onText called with standard output as it comes
 * @returns {Promise<{ok: boolean, how: string, end: string}>} how it ended, and its last lines
 */
function runStep(command, args, environment, onText) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const [from, to] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
      from.setEncoding("utf8");
      from.on("data", (/** @type {string} */ piece) => {
        to.write(piece);
        if (from === child.stdout) onText(piece);
        text = (text + piece).slice(-100_000);
      });
    }
    child.on("error", reject);
    // Not "close": a process that a test left behind would hold the pipes open, and the whole run with them.
    child.on("exit", (code, signal) =>
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        const how = signal ? `ended by ${signal}` : `exit code ${code}`;
        resolve({ ok: code === 0, how, end: text.trimEnd().split("\n").slice(-LAST_LINES).join("\n") });
      }, 100));
  });
}

const failed = [];
const outcomes = testOutcomes();
for (const [name, [command, ...args]] of Object.entries(steps)) {
  if (!wants(name)) continue;
  console.log(`\n== ${name}`);
  const start = performance.now();
  const { ok, how, end } = await runStep(
    command,
    args,
    name === "half" ? { ...env, ...lavapipe.env } : env,
    outcomes.read(name),
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`== ${name}: ${ok ? "ok" : `FAILED, ${how}`} (${seconds} s)`);
  if (!ok) failed.push({ name, how, end });
}

console.log(outcomes.skipped.length > 0 || unavailable.length > 0 ? "\nsvc: skipped:" : "\nsvc: nothing was skipped");
for (const reason of unavailable) console.log(`  ${reason}`);
for (const { step, name, reason } of outcomes.skipped) console.log(`  ${step}: ${name}${reason ? `: ${reason}` : ""}`);

// What CI is meant to run must run there: a skipped group is a failure, not a detail of the log.
if (process.env.CI === "true" && unavailable.length > 0) {
  failed.push({ name: "skipped groups", how: "CI is meant to run them", end: unavailable.join("\n") });
}
if (chosen.length === 0) {
  const rows = rowsWithoutRun(outcomes.passed);
  if (rows.length > 0) failed.push({ name: "conformance", how: "rows without a test that ran", end: rows.join("\n") });
}
for (const { name, how, end } of failed) console.error(`\n== ${name} failed, ${how}; its last lines again\n${end}`);
if (failed.length > 0) {
  console.error(`\nsvc: failed: ${failed.map(({ name }) => name).join(", ")}`);
  process.exit(1);
}
console.log("\nsvc: all steps passed");
