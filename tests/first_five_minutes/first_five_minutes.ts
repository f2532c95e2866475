// deno-lint-ignore-file no-console
// Walks the documented ways of a newcomer, times each and records what it saw:
//   node --import tsx tests/first_five_minutes/first_five_minutes.ts [-o FILE.md] [--registry]
// Without --registry, packages come from this clone (npm pack into an empty folder), as before a first release.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ROOT } from "../support/server_process.ts";
import { installTinyModels } from "../support/tiny_store.ts";
import { stepsOfContainer, stepsOfDeno, stepsOfNode, stepsOfSite, type Way } from "./ways.ts";

const { values } = parseArgs({ options: { output: { type: "string", short: "o" }, registry: { type: "boolean" } } });

/** What a command did: whether it ended well, how long it took, its last words. */
interface Outcome {
  readonly label: string;
  readonly command: string;
  readonly seconds: number;
  readonly result: string;
}

/** Milliseconds that a step may take before it is given up: a newcomer would not wait as long. */
const LIMIT = 300_000;

/** Runs a command line in a shell, as a person types it. */
function type(command: string, cwd: string, env: Record<string, string>): Promise<{ ok: boolean; text: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd, shell: true, env: { ...process.env, NO_COLOR: "1", ...env }, timeout: LIMIT });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => text = (text + part).slice(-4000));
    child.on("close", (code) => resolve({ ok: code === 0, text: text.trim() }));
  });
}

async function tryWay({ name, available, steps }: Way, folder: string): Promise<Outcome[]> {
  const missing = await available();
  if (missing !== undefined) return [{ label: name, command: "", seconds: 0, result: `not tried: ${missing}` }];
  const project = join(folder, name.replace(/\W+/g, "-").toLowerCase());
  mkdirSync(project);
  cpSync(join(ROOT, "tests/goldens/data/manifest/svc-doc-tools.json"), join(project, "plugins/svc-doc-tools.json"));
  const home = join(project, "home");
  await installTinyModels(home, ["tiny-chat"]);
  const outcomes: Outcome[] = [];
  for (const { label, command, expected, shows } of steps) {
    const start = performance.now();
    const { ok, text } = await type(command, project, { SVC_HOME: home });
    const seconds = (performance.now() - start) / 1000;
    const fits = ok && expected.test(text);
    const last = text.split("\n").slice(-3).join(" / ").slice(-300);
    outcomes.push({ label, command, seconds, result: fits ? shows?.exec(text)?.[0] ?? "works" : `FAILED: ${last}` });
    console.error(`${name}: ${label}: ${seconds.toFixed(1)} s, ${outcomes.at(-1)!.result}`);
    if (!fits) break; // what follows needs it
  }
  return outcomes;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "svc-first-")));
try {
  const source = values.registry ? "@svc/sdk" : await packClone(folder);
  const ways = [stepsOfNode(source), stepsOfDeno(source), stepsOfSite(), stepsOfContainer()];
  const sections = [];
  for (const way of ways) sections.push(section(way, await tryWay(way, folder)));
  const machine = `${cpus().length} cores of ${cpus()[0].model}, Node ${process.versions.node}, load ${
    loadavg()[0].toFixed(0)
  } of other work, ${new Date().toISOString().slice(0, 10)}`;
  const page =
    `# The first five minutes\n\nWritten by \`deno task first-five-minutes\`: every documented way, typed into an ` +
    `empty folder. ${machine}.\n\n${sections.join("\n")}`;
  if (values.output === undefined) console.log(page);
  else writeFileSync(values.output, page);
  if (page.includes("FAILED")) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Packs this clone; the built `dist` is what a user gets. */
async function packClone(folder: string): Promise<string> {
  if (!existsSync(join(ROOT, "dist/cli/main.js"))) throw new Error("Cannot pack this clone: run npm run build first");
  const { ok, text } = await type(`npm pack --ignore-scripts --pack-destination "${folder}"`, ROOT, {});
  if (!ok) throw new Error(`Cannot pack this clone: ${text}`);
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz"))!);
}

function section({ name }: Way, outcomes: readonly Outcome[]): string {
  const total = outcomes.reduce((sum, { seconds }) => sum + seconds, 0);
  const rows = outcomes.map(({ label, command, seconds, result }) =>
    `| ${label} | ${
      command && `\`${command.replaceAll("|", "\\|").replaceAll(folder, "…").replaceAll(ROOT, "CLONE/")}\``
    } | ${seconds.toFixed(1)} | ${result} |`
  );
  const wasTried = outcomes.some(({ command }) => command !== "");
  return `## ${name}: ${
    wasTried ? `${total.toFixed(0)} s` : "not tried"
  }\n\n| Step | Typed | Seconds | Result |\n| --- | --- | ---: | --- |\n${rows.join("\n")}\n`;
}
