/**
 * The same measurement of the servers of both runtimes.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { printTable } from "./table.ts";

/** A row of a table: its title, and its cell by what was measured. */
export type FigureRows<Figures> = Readonly<Record<string, (figures: Figures) => string>>;

/** Measures both servers one after the other and prints a row for each figure. */
export type CompareServers = <Figures>(
  title: string,
  measure: (command: readonly string[]) => Promise<Figures>,
  rows: FigureRows<Figures>,
) => Promise<void>;

/** Builds the package for Node and compares the servers of a command such as `world serve`; only for Deno. */
export function serversOf(command: "world" | "api"): CompareServers {
  const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  spawnSync("node", [file("scripts/build.mjs")], { stdio: "inherit" });
  // The build may have reinstalled all packages, and Deno's unpacks its program when it is first asked for.
  spawnSync("node", [file("node_modules/deno/bin.cjs"), "--version"]);
  // This process is Deno itself: npm's wrapper of it would not pass the signal on that ends the server.
  const servers: Readonly<Record<string, readonly string[]>> = {
    "Node": ["node", file("dist/cli/main.js"), command, "serve"],
    "Deno": [process.execPath, "run", "-A", file(`servers/${command}.ts`)],
  };
  return async (title, measure, rows) => {
    const figures: Awaited<ReturnType<typeof measure>>[] = [];
    for (const server of Object.values(servers)) figures.push(await measure(server));
    printTable(
      [title, ...Object.keys(servers)],
      Object.entries(rows).map(([label, text]) => [label, ...figures.map(text)]),
    );
  };
}
