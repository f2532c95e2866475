import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "./program_arguments.ts";

let made: string | undefined;

/**
 * A folder with the embedded world, whose frames are 96x64 unless a request says otherwise: a quarter of the work, for
 * tests in which the size does not matter. It is removed with the process.
 */
export function smallCorridor(): string {
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), "svc-small-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  made = join(folder, "corridor-nano");
  for (const part of ["base", "causal"]) {
    const [from, to] = [join(ROOT, "models", "corridor-nano", part), join(made, part)];
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) {
      if (name !== "config.json") symlinkSync(join(from, name), join(to, name));
    }
    const config = JSON.parse(readFileSync(join(from, "config.json"), "utf8"));
    // The statistics of its latents are of its own size.
    const small = (): object => ({
      ...config,
      default_width: 96,
      default_height: 64,
      knows: { what: config.knows.what },
    });
    writeFileSync(join(to, "config.json"), JSON.stringify(part === "base" ? small() : config));
  }
  return made;
}
