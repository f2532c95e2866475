/** Runs commands concurrently and keeps the output of each together. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** A command that takes longer has hung. */
const LIMIT_MINUTES = 12;

/**
 * @typedef {{ step: string, command: string[], env: NodeJS.ProcessEnv }} Job
 * @typedef {{ ok: boolean, how: string, seconds: number, cpuSeconds: number, stdout: string, output: string }} Outcome
 */

/**
 * Runs the jobs in their order, some at a time.
 *
 * @param {readonly Job[]} jobs
 * @param {{ lanes: number, cwd: string, onEnd: (job: Job, outcome: Outcome) => void }} options
 */
export async function runBeside(jobs, { lanes, cwd, onEnd }) {
  const waiting = [...jobs];
  counted = cpuSecondsOfEnded();
  const lane = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) onEnd(job, await run(job, cwd));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/**
 * How long processors have worked for the processes that this one started and that ended, with all that those waited
 * for; no number where the system does not say it.
 */
function cpuSecondsOfEnded() {
  if (process.platform !== "linux") return NaN;
  // After the name, which may hold spaces; both are ticks of 10 ms.
  const fields = readFileSync("/proc/self/stat", "utf8").replace(/^.*\) /s, "").split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** What of it belongs to jobs that have ended. */
let counted = 0;

/**
 * @param {Job} job
 * @param {string} cwd
 * @returns {Promise<Outcome>}
 */
function run({ command: [program, ...args], env }, cwd) {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LIMIT_MINUTES * 60_000,
      killSignal: "SIGKILL",
    });
    let [stdout, output] = ["", ""];
    for (const from of [child.stdout, child.stderr]) {
      from.setEncoding("utf8");
      from.on("data", (/** @type {string} */ piece) => {
        if (from === child.stdout) stdout += piece;
        output += piece;
      });
    }
    child.on("error", reject);
    // Not "close": a process that a test left behind would hold the pipes open, and the whole run with them.
    child.on("exit", (code, signal) => {
      // What was added is this one's; of two that end in the same moment one is given both.
      const total = cpuSecondsOfEnded();
      const cpuSeconds = total - counted;
      counted = total;
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        const seconds = (performance.now() - start) / 1000;
        const hung = signal === "SIGKILL" && seconds >= LIMIT_MINUTES * 60;
        const how = hung
          ? `stopped after ${LIMIT_MINUTES} minutes`
          : signal
          ? `ended by ${signal}`
          : `exit code ${code}`;
        resolve({ ok: code === 0, how, seconds, cpuSeconds, stdout, output: output.trimEnd() });
      }, 100);
    });
  });
}
