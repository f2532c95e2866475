/**
 * Reads which tests passed and which were skipped from what the test runners print.
 *
 * @typedef {{ step: string, name: string, reason: string }} Skip
 */

/** The colours of a terminal. */
// deno-lint-ignore no-control-regex
const COLOURS = /\u001b\[[0-9;]*m/g;

/**
 * A reader for the output of test steps: `deno test` prints `NAME ... ok (1ms)` or `... ignored`, Node's spec reporter
 * `✔ NAME (1ms)` or `﹣ NAME (1ms) # REASON`.
 */
export function testOutcomes() {
  /** @type {Set<string>} */
  const passed = new Set();
  /** @type {Skip[]} */
  const skipped = [];
  const readLine = (/** @type {string} */ step, /** @type {string} */ text) => {
    const line = text.replace(COLOURS, "").trim();
    const deno = /^(.*) \.\.\. (ok|ignored)(?: \([^)]*\))?$/.exec(line);
    if (deno?.[2] === "ok") passed.add(deno[1]);
    if (deno?.[2] === "ignored") skipped.push({ step, name: deno[1], reason: "" });
    const node = /^(✔|﹣) (.*?) \([\d.]+ms\)(?: # (.*))?$/.exec(line);
    if (node?.[1] === "✔") passed.add(node[2]);
    if (node?.[1] === "﹣") skipped.push({ step, name: node[2], reason: node[3] === "SKIP" ? "" : node[3] ?? "" });
  };
  return {
    passed,
    skipped,
    /** Takes what a command of a step has printed. */
    read: (/** @type {string} */ step, /** @type {string} */ text) => {
      for (const line of text.split("\n")) readLine(step, line);
    },
  };
}
