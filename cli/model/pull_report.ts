/**
 * What a pull will do, as text.
 *
 * @module
 */
import { showBytes } from "../../lib/errors/show.ts";
import type { MemoryFit } from "../../lib/store/memory_fit.ts";
import type { PullPlan } from "../../lib/store/pull_model.ts";
import { packageOf } from "./model_report.ts";

/** What is downloaded, what the machine makes of it, and what else its engine needs. */
export function planLines({ repository, files, bytes, license, entry }: PullPlan, memory: MemoryFit): string[] {
  const { name, commit } = repository;
  const head = `${name} at ${commit.slice(0, 12)}, license ${license ?? "unknown"}: ${files.length} files, ${
    showBytes(bytes)
  }, ${memory === "fits" ? "fits into" : `${memory} for`} this machine's memory`;
  if (entry === undefined) return [head];
  if (entry.engine === undefined) {
    return [head, `No engine of this version serves ${entry.task} yet: the model is stored for later`];
  }
  const needed = packageOf(entry);
  return needed === undefined ? [head] : [head, `Its engine needs a package of its own: ${needed}`];
}
