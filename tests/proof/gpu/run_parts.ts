/**
 * `run_parts.ts OUT [--parts a,b] [--seconds N]`: runs the parts of the GPU proof, each in a process with a limit of its
 * own, and ends within N seconds (530). A part that fails or hangs is noted, and the next one begins. Writes `parts.log`,
 * `summary.json` and `report.md` to OUT, again after every part. Exits with 1 when a part failed, with 3 when there is no
 * adapter.
 *
 * Run as it is, or as a bundle beside the bundles of its parts.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { NO_ADAPTER, SMALL } from "./part.ts";
import { type PartRun, type ProofSummary, renderReport } from "./report.ts";

/** The parts with their limits in seconds, the most important first. */
const PARTS: readonly (readonly [name: string, seconds: number])[] = [
  ["adapter", 40],
  ["operators", 90],
  ["speed", 100],
  ["pass", 70],
  ["decoder", 45],
  ["pytorch", 85],
  ["embedded_world", 40],
  ["goldens", 50],
  ["cancel", 30],
  ["full_width", 60],
];

/**
 * Limits of a rehearsal are longer: a software adapter competes with everything else on the machine for the CPU. Beside
 * seven other processes on two cores the slowest part took a fifth of its limit.
 */
const LIMIT_FACTOR = SMALL ? 8 : 1;

/** What a part has to end by itself before it is stopped. */
const GRACE = 3;

const { values: flags, positionals: [target] } = parseArgs({
  allowPositionals: true,
  options: {
    parts: { type: "string", default: PARTS.map(([name]) => name).join(",") },
    seconds: { type: "string", default: String(530 * LIMIT_FACTOR) },
  },
});
const out = resolve(target);
const results = join(out, "results");
const began = performance.now();
const seconds = () => (performance.now() - began) / 1000;
const say = (text: string) => void process.stdout.write(`[+${seconds().toFixed(0)}s] ${text}\n`);

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const logFile = join(out, "parts.log");
writeFileSync(logFile, "");
const runs: PartRun[] = [];
const wanted = flags.parts.split(",");
for (const [name, limit] of PARTS.filter(([name]) => wanted.includes(name))) {
  const left = Math.min(limit * LIMIT_FACTOR, Number(flags.seconds) - seconds());
  if (left < 2 * GRACE) {
    runs.push({ name, seconds: 0, problem: "no time was left" });
  } else {
    say(`${name} begins, ${left.toFixed(0)} s at most`);
    runs.push(await runPart(name, left));
  }
  const { problem, seconds: took } = runs.at(-1)!;
  say(`${name}: ${problem ?? "ended"} after ${took.toFixed(1)} s`);
  summarise();
  if (name === "adapter" && problem?.includes("no adapter")) process.exit(NO_ADAPTER);
}
rmSync(results, { recursive: true });
process.exit(runs.some(({ problem }) => problem !== undefined) ? 1 : 0);

/** Runs a part; what it prints goes to the log. */
function runPart(name: string, limit: number): Promise<PartRun> {
  const start = performance.now();
  const [command, ...args] = commandOf(name);
  appendFileSync(logFile, `==== ${name}\n`);
  const env = { ...process.env, SVC_PROOF_RESULTS: results, SVC_PROOF_SECONDS: String(limit - GRACE) };
  return new Promise((ended) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (bytes: Uint8Array) => appendFileSync(logFile, bytes));
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, 1000 * limit);
    const end = (problem?: string) => {
      clearTimeout(timer);
      ended({ name, seconds: (performance.now() - start) / 1000, ...(problem !== undefined && { problem }) });
    };
    child.on("error", (error) => end(`did not start: ${error.message}`));
    child.on("close", (code, signal) => {
      if (isLate) end("stopped at its limit");
      else if (code === 0) end();
      else end(code === NO_ADAPTER ? "no adapter" : `failed (${signal ?? code})`);
    });
  });
}

function commandOf(name: string): string[] {
  if (name === "pytorch") {
    const script = fileURLToPath(new URL("./pytorch_speed.py", import.meta.url));
    return [process.env.SVC_PROOF_PYTHON ?? "python3", script, results];
  }
  const file = new URL(`./${name}_part${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const before = "Deno" in globalThis ? ["run", "-A", "--no-check"] : process.execArgv;
  return [process.execPath, ...before, fileURLToPath(file)];
}

function summarise(): void {
  const parts: Record<string, unknown> = {};
  for (const file of existsSync(results) ? readdirSync(results) : []) {
    try {
      parts[file.replace(".json", "")] = JSON.parse(readFileSync(join(results, file), "utf8"));
    } catch {
      // A part was stopped while it wrote; the others count.
    }
  }
  const summary: ProofSummary = { date: new Date().toISOString().slice(0, 10), commit: commit(), runs, parts };
  writeFileSync(join(out, "summary.json"), JSON.stringify(summary, null, 1));
  writeFileSync(join(out, "report.md"), renderReport(summary));
}

/** The commit that is proved: written beside the bundles, or given. */
function commit(): string {
  const file = new URL("./commit.txt", import.meta.url);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : process.env.SVC_PROOF_COMMIT ?? "unknown";
}
