import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

/**
 * What each start may load at most before it is asked for more: bytes of modules, and packages. Times depend on the
 * machine and are recorded only; what is loaded does not, and makes the times.
 */
const budgets: Readonly<Record<string, { readonly bytes: number; readonly packages?: readonly string[] }>> = {
  "`svc --version`": { bytes: 23e3 },
  '`import "@svc/sdk"`': { bytes: 47e3 },
  '`import "@svc/sdk/client"`': { bytes: 80e3 },
  '`import "@svc/sdk/compute"`': { bytes: 65e3 },
  '`import "@svc/sdk/http"`': { bytes: 5e3 },
  '`import "@svc/sdk/manifest"`': { bytes: 150e3 },
  '`import "@svc/sdk/media"`': { bytes: 90e3 },
  '`import "@svc/sdk/world"`': { bytes: 250e3, packages: ["valibot"] },
};

/** How often each start is timed. They take turns, so that a busy moment of the machine meets all of them. */
const ROUNDS = 25;

interface Start {
  readonly label: string;
  readonly args: readonly string[];
  /** Module that Node loads first; none for the empty program. */
  readonly module?: string;
}

function startsOf(sdk: string): Start[] {
  const { exports } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8"));
  const cli = "dist/cli/main.js";
  return [
    { label: "an empty program", args: ["-e", "0"] },
    { label: "`svc --version`", args: [cli, "--version"], module: cli },
    ...Object.entries<{ default: string }>(exports).filter(([entry]) => !entry.includes("*")).map((
      [entry, { default: file }],
    ) => ({
      label: `\`import "${entry.replace(/^\./, "@svc/sdk")}"\``,
      args: ["--input-type=module", "-e", `await import(${JSON.stringify(file)})`],
      module: file,
    })),
  ];
}

/** What Node loads with a module: its static imports and theirs. */
export function loadedBy(
  module: string,
): { readonly files: number; readonly bytes: number; readonly packages: string[] } {
  const texts = new Map<string, string>();
  const packages = new Set<string>();
  const waiting = [module];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts.has(path)) continue;
    const text = readFileSync(path, "utf8");
    texts.set(path, text);
    for (
      const [, from, bare] of text.matchAll(
        /^(?:(?:im|ex)port\s(?!type\s)[^;]*?\sfrom\s+"([^"]+)"|import\s+"([^"]+)")/gm,
      )
    ) {
      const name = from ?? bare;
      if (name.startsWith(".")) waiting.push(join(dirname(path), name));
      else if (!name.startsWith("node:")) packages.add(name);
    }
  }
  const bytes = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
  return { files: texts.size, bytes, packages: [...packages].sort() };
}

/**
 * Holds what each start loads to its budget.
 *
 * @param sdk Folder of the unpacked npm package.
 */
export function checkStarts(sdk: string): void {
  for (const { label, module } of startsOf(sdk)) {
    if (module === undefined) continue;
    const { bytes, packages } = loadedBy(join(sdk, module));
    const budget = budgets[label];
    assert.ok(bytes <= budget.bytes, `${label} loads ${bytes} bytes of modules, expected at most ${budget.bytes}`);
    assert.deepEqual(packages, budget.packages ?? [], `${label} loads other packages than it may`);
  }
}

/** The table of what each start loads, and how long it takes on this machine. */
export function startsTable(sdk: string): string {
  const starts = startsOf(sdk);
  const times = starts.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { args }] of starts.entries()) {
      const begin = performance.now();
      execFileSync(process.execPath, [...args], { cwd: sdk, stdio: "ignore" });
      times[i].push(performance.now() - begin);
    }
  }
  const lines = starts.map(({ label, module }, i) => {
    const sorted = times[i].sort((a, b) => a - b);
    const { files, bytes } = module === undefined ? { files: 0, bytes: 0 } : loadedBy(join(sdk, module));
    const [median, least] = [sorted[ROUNDS >> 1], sorted[0]].map(Math.round);
    return `| ${label} | ${files} | ${Math.round(bytes / 1000)} | ${median} | ${least} |`;
  });
  const machine = `Median and least of ${ROUNDS} on Node ${process.versions.node}, ${cpus().length} cores of ${
    cpus()[0].model
  }, load ${loadavg()[0].toFixed(0)} of other work.`;
  const head = ["| Start | Modules | kB | ms | least ms |", "| --- | ---: | ---: | ---: | ---: |"];
  return [machine, "", ...head, ...lines, ""].join("\n");
}
