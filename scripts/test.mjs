/**
 * `npm test`: installs what is missing, then runs every check and all tests on Deno and on Node.
 *
 *   npm test                 everything but the steps that CI runs in a job of their own
 *   npm test -- networks kernels deno-more published schemathesis clients agents   these: whole networks and models, and
 *                            kernels of large products, on a software GPU; on Deno what runs on Node by default; every
 *                            package published to a registry on this machine and tried; random requests by schemathesis;
 *                            frameworks for Node and Python, and coding agents, which are a gigabyte
 *   npm test -- models       real models beside other programs in Python: 5 GB of packages with PyTorch from PyPI
 *   npm test -- open-webui   Open WebUI itself in front of real models; pip installs 7 GB for it
 *   npm test -- deno node    only the named steps
 */
// deno-lint-ignore-file no-console
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { install, placeDeno, root } from "./install.mjs";

install();
placeDeno();
const { runBeside } = await import("./run_beside.mjs");
const { groupTests, runsOf } = await import("./test_groups.mjs");
const { unprovedRows } = await import("./generate_conformance.mjs");
const { alone, alsoOnDeno, kernels, networks, onDenoWhenNamed, onNodeOnly } = await import("./test_files.mjs");
const { testOutcomes } = await import("./test_outcomes.mjs");
const { nodePackages } = await import("./node_packages.mjs");
const { pythonVenv } = await import("./python_venv.mjs");
const { lavapipeEnv, softwareAdapterEnv } = await import("./software_adapter.mjs");
const adapter = softwareAdapterEnv();
if (!adapter.ok) console.error(`svc: tests of WebGPU kernels are skipped: ${adapter.reason}; ${adapter.remedy}`);

/** Why a step or a group of tests cannot run here. */
const unavailable = [];
if (!adapter.ok) unavailable.push(`tests of WebGPU kernels: ${adapter.reason}`);

const chosen = process.argv.slice(2);
/** Steps that run when they are named; CI has a job of its own for them. */
const named = [
  "networks",
  "kernels",
  "deno-more",
  "published",
  "schemathesis",
  "models",
  "clients",
  "agents",
  "open-webui",
];
const wants = (/** @type {string} */ name) => chosen.length === 0 ? !named.includes(name) : chosen.includes(name);
const python = wants("python") ? pythonVenv("python_sdks", 10) : undefined;
if (python && !python.ok) {
  console.error(`svc: tests of the Python clients are skipped: ${python.reason}`);
  unavailable.push(`tests of the Python clients: ${python.reason}`);
}

const frameworks = wants("clients") ? pythonVenv("frameworks/python", 11) : undefined;
if (frameworks && !frameworks.ok) {
  console.error(`svc: tests of frameworks are skipped: ${frameworks.reason}`);
  unavailable.push(`tests of frameworks: ${frameworks.reason}`);
}

const gymnasium = wants("python") ? pythonVenv("world_python", 11, { required: false }) : undefined;
if (gymnasium && !gymnasium.ok) {
  console.error(`svc: tests of worlds in Python are skipped: ${gymnasium.reason}`);
  unavailable.push(`tests of worlds in Python: ${gymnasium.reason}`);
}

const schemathesis = wants("schemathesis") ? pythonVenv("schemathesis", 11) : undefined;
if (schemathesis && !schemathesis.ok) {
  console.error(`svc: tests of the API descriptions with schemathesis are skipped: ${schemathesis.reason}`);
  unavailable.push(`tests of the API descriptions with schemathesis: ${schemathesis.reason}`);
}

const openWebui = wants("open-webui") ? pythonVenv("open_webui", 11, { last: 12 }) : undefined;
if (openWebui && !openWebui.ok) {
  console.error(`svc: Open WebUI is not tried: ${openWebui.reason}`);
  unavailable.push(`Open WebUI: ${openWebui.reason}`);
}

const oracles = wants("models")
  ? pythonVenv("real_models", 11, { file: "tests/proof/models/requirements.txt", required: false })
  : undefined;
if (oracles && !oracles.ok) {
  console.error(`svc: real models are not compared with other programs: ${oracles.reason}`);
  unavailable.push(`comparison of real models with other programs: ${oracles.reason}`);
}

const jinja = wants("jinja") ? pythonVenv("python_jinja", 9) : undefined;
if (jinja && !jinja.ok) {
  console.error(`svc: chat templates are not compared with Python's Jinja: ${jinja.reason}`);
  unavailable.push(`comparison of chat templates with Python's Jinja: ${jinja.reason}`);
}

const hadolint = wants("packaging") ? pythonVenv("hadolint", 9) : undefined;
if (hadolint && !hadolint.ok) {
  console.error(`svc: tests of Containerfiles are skipped: ${hadolint.reason}`);
  unavailable.push(`tests of Containerfiles: ${hadolint.reason}`);
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
/** The page of this file shows video as fast as it is made. */
const pageTimes = "tests/page/gaps_in_browser.ts";
const pageFiles = filesOf("_in_browser.ts").filter((file) => file !== pageTimes);

/** The files of the steps that most tests are in. */
const shared = testFiles.filter((file) => ![...alone, ...networks, ...kernels].includes(file));
const onBoth = shared.filter((file) => !onNodeOnly(file));
const denoMore = [...onBoth.filter(onDenoWhenNamed), ...alsoOnDeno];

const onDeno = [...deno, "test", "-A", "--no-check"];
const onNode = [process.execPath, "--import", "tsx", "--test", "--test-reporter=spec", "--test-concurrency=1"];

// SwiftShader has no 16-bit floats; where Mesa's software driver is installed, their kernels are tested on it.
const lavapipe = lavapipeEnv();
/**
 * What is run, by the names that can be given. A step of several commands runs them concurrently.
 *
 * @type {Record<string, { commands: string[][], env?: Record<string, string>, alone?: boolean }>}
 */
const steps = {
  format: { commands: [[...deno, "fmt", "--check", "--quiet"]] },
  lint: { commands: [[...deno, "lint", "--quiet"]] },
  check: { commands: [[...deno, "task", "--quiet", "check"]] },
  // The longest first, so that nothing waits for them at the end.
  ...(hasBrowser && { page: { commands: runsOf(pageFiles, 3).map((files) => [...onNode, ...files]) } }),
  published: {
    commands: [[...onNode, "tests/published/run_published.ts"], [...onNode, "tests/published/run_readme.ts"]],
  },
  node: { commands: groupTests("node", shared, 24).map((entry) => [...onNode, entry]) },
  // The last in the alphabet first: tests of whole servers take longest, and nothing is left to run beside the last one.
  deno: {
    commands: groupTests("deno", onBoth.filter((file) => !onDenoWhenNamed(file)), 16).toReversed()
      .map((entry) => [...onDeno, entry]),
  },
  ...(lavapipe.ok && {
    half: {
      commands: [
        [...onDeno, "tests/compute/webgpu/half_test.ts", "tests/compute/webgpu/half_range_test.ts"],
        [...onDeno, "tests/compute/webgpu/attention_kernels_test.ts"],
        [...onDeno, "tests/goldens/half_goldens_test.ts"],
        [...onDeno, "tests/proof/half/half_block_test.ts"],
      ],
      env: lavapipe.env,
    },
  }),
  api: { commands: [[process.execPath, "scripts/check_api.mjs"]] },
  docs: { commands: [[...onDeno, "--doc", "mod.ts", "lib"]] },
  ...((python?.ok || gymnasium?.ok) && {
    python: {
      commands: [
        ...(python?.ok ? [[...onNode, "tests/clients/python_sdks/run_python_sdks.ts"]] : []),
        ...(gymnasium?.ok ? [[...onNode, "tests/clients/world_python/run_world_python.ts"]] : []),
      ],
    },
  }),
  ...(frameworks?.ok && { clients: { commands: [[...onNode, "tests/clients/frameworks/run_frameworks.ts"]] } }),
  agents: { commands: [[...onNode, "tests/clients/coding_agents/run_coding_agents.ts"]] },
  ...(jinja?.ok && { jinja: { commands: [[...onNode, "tests/clients/python_jinja/run_python_jinja.ts"]] } }),
  ...(schemathesis?.ok && {
    schemathesis: { commands: [[...onNode, "tests/clients/schemathesis/run_schemathesis.ts"]] },
  }),
  ...(openWebui?.ok && { "open-webui": { commands: [[...onNode, "tests/clients/open_webui/run_open_webui.ts"]] } }),
  ...(hadolint?.ok && { packaging: { commands: [[...onNode, "tests/packaging/lint_packaging.ts"]] } }),
  ...(oracles?.ok && {
    models: {
      commands: [[process.execPath, "--import", "tsx", "tests/proof/models/prove_models.ts"]],
      env: { SVC_PYTHON: oracles.python },
      alone: true,
    },
  }),
  networks: { commands: networks.map((file) => [...onNode, file]) },
  kernels: { commands: kernels.map((file) => [...onNode, file]) },
  "deno-more": {
    commands: groupTests("deno-more", denoMore, 16).map((entry) => [...onDeno, entry]),
  },
  "deno-times": { commands: [[...onDeno, ...alone.filter((file) => !onNodeOnly(file))]], alone: true },
  "node-times": { commands: [[...onNode, ...alone]], alone: true },
  ...(hasBrowser && { "page-times": { commands: [[...onNode, pageTimes]], alone: true } }),
};

const unknown = chosen.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`svc: unknown test step ${unknown.join(", ")}; the steps are ${Object.keys(steps).join(", ")}`);
  process.exit(2);
}

// Programs that tests start on Node are the built ones, as are those that are published.
const onBuilt = ["node", "node-times", "published"].some(wants);
if (onBuilt) build();

// What tests leave behind goes with the run: where one of its tests is ignored, `deno test` calls no hook after them all.
const temporary = mkdtempSync(join(tmpdir(), "svc-tests-"));
chmodSync(temporary, 0o1777); // as the system's: some tests become another user
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));

const env = {
  ...process.env,
  ...Object.fromEntries(["TMPDIR", "TEMP", "TMP"].map((name) => [name, temporary])),
  ...(onBuilt && { SVC_TEST_BUILT: "1" }),
  ...(python?.ok && { SVC_TEST_PYTHON: python.python }),
  ...(gymnasium?.ok && { SVC_TEST_GYMNASIUM: gymnasium.python }),
  ...(frameworks?.ok && {
    SVC_TEST_FRAMEWORKS_PYTHON: frameworks.python,
    SVC_TEST_FRAMEWORKS_NODE: nodePackages("frameworks/node"),
  }),
  ...(wants("agents") && { SVC_TEST_CODING_AGENTS: nodePackages("coding_agents") }),
  ...(schemathesis?.ok && { SVC_TEST_SCHEMATHESIS: schemathesis.python }),
  ...(openWebui?.ok && { SVC_TEST_OPEN_WEBUI: openWebui.python }),
  ...(jinja?.ok && { SVC_TEST_JINJA: jinja.python }),
  ...(hadolint?.ok && { SVC_TEST_HADOLINT: hadolint.python.replace(/python(\.exe)?$/, "hadolint$1") }),
  ...(adapter.ok ? { ...adapter.env, SVC_TEST_ADAPTER: "software" } : {}),
};

/** Shows where the time went: a step whose processors worked long has much to do, another one waits. */
function showTimes() {
  const rows = [...taken].sort(([, a], [, b]) => b.cpuSeconds - a.cpuSeconds || b.seconds - a.seconds);
  const cpu = rows.reduce((sum, [, { cpuSeconds }]) => sum + cpuSeconds, 0);
  const cpuOf = (/** @type {number} */ seconds) => Number.isNaN(cpu) ? "" : `${seconds.toFixed(0)} s of processors, `;
  console.log(`\nsvc: ${cpuOf(cpu)}${process.uptime().toFixed(0)} s on the clock, with what was built and installed`);
  for (const [name, { commands, seconds, cpuSeconds }] of rows) {
    const how = commands > 1 ? `the sum of ${commands} commands` : "one command";
    console.log(`  ${name}: ${cpuOf(cpuSeconds)}${seconds.toFixed(0)} s on the clock, ${how}`);
  }
}

/** Lines of a failed command that are shown again after the last one, where a long log is read first. */
const LAST_LINES = 120;

const jobs = Object.entries(steps).filter(([name]) => wants(name)).flatMap(([step, { commands, alone, env: more }]) =>
  commands.map((command) => ({ step, command, alone, env: { ...env, ...more } }))
);
const failed = [];
const outcomes = testOutcomes();
/** What each step has taken so far. @type {Map<string, { commands: number, seconds: number, cpuSeconds: number }>} */
const taken = new Map();
let ended = 0;

/**
 * @param {import("./run_beside.mjs").Job} job
 * @param {import("./run_beside.mjs").Outcome} outcome
 */
function onEnd({ step }, { ok, how, seconds, cpuSeconds, stdout, output }) {
  outcomes.read(step, stdout);
  const sum = taken.get(step) ?? { commands: 0, seconds: 0, cpuSeconds: 0 };
  taken.set(step, {
    commands: sum.commands + 1,
    seconds: sum.seconds + seconds,
    cpuSeconds: sum.cpuSeconds + cpuSeconds,
  });
  const head = `== ${step} (${++ended} of ${jobs.length}): ${ok ? "ok" : `FAILED, ${how}`} (${seconds.toFixed(1)} s)`;
  console.log(`\n${output}\n${head}`);
  if (!ok) failed.push({ name: step, how, end: output.split("\n").slice(-LAST_LINES).join("\n") });
}

// One more than there are processors: every few seconds a test waits for a process, a disk or a clock.
const lanes = Math.min(availableParallelism() + 1, 4);
await runBeside(jobs.filter(({ alone }) => !alone), { lanes, cwd, onEnd });
await runBeside(jobs.filter(({ alone }) => alone), { lanes: 1, cwd, onEnd });

showTimes();
console.log(outcomes.skipped.length > 0 || unavailable.length > 0 ? "\nsvc: skipped:" : "\nsvc: nothing was skipped");
for (const reason of unavailable) console.log(`  ${reason}`);
for (const { step, name, reason } of outcomes.skipped) console.log(`  ${step}: ${name}${reason ? `: ${reason}` : ""}`);

// What CI is meant to run must run there: a skipped group is a failure, not a detail of the log.
if (process.env.CI === "true" && unavailable.length > 0) {
  failed.push({ name: "skipped groups", how: "CI is meant to run them", end: unavailable.join("\n") });
}
if (chosen.length === 0) {
  const rows = unprovedRows(outcomes.passed, outcomes.skipped.map(({ name }) => name));
  if (rows.length > 0) failed.push({ name: "conformance", how: "rows without a test that ran", end: rows.join("\n") });
}
for (const { name, how, end } of failed) console.error(`\n== ${name} failed, ${how}; its last lines again\n${end}`);
if (failed.length > 0) {
  console.error(`\nsvc: failed: ${[...new Set(failed.map(({ name }) => name))].join(", ")}`);
  process.exit(1);
}
console.log("\nsvc: all steps passed");
