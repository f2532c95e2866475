/**
 * Compares requirements and behavior of nodes.
 *
 * @module
 */
import type { ReportChange } from "./version_bump.ts";
import { difference } from "./diff_values.ts";
import type { Requirements, Traits } from "../manifest.ts";

/** Compares requirements: a machine that could run the node must still be able to. */
export function diffRequirements(before: Requirements, after: Requirements, report: ReportChange): void {
  const models = difference(before.model_ids, after.model_ids);
  if (models.won.length > 0) report("major", `the node needs ${models.won.join(", ")} now`);
  if (models.lost.length > 0) report("minor", `the node no longer needs ${models.lost.join(", ")}`);
  diffAccelerators(before.accelerator_backends, after.accelerator_backends, report);
  for (const field of MINIMUMS) {
    const [min, max] = [before[field] ?? 0, after[field] ?? 0];
    if (max > min) report("major", `${field} is ${max}, it was ${before[field] ?? "nothing"}`);
    if (max < min) report("minor", `${field} is ${after[field] ?? "nothing"}, it was ${min}`);
  }
  const [wasOnline, isOnline] = [before.network_access === true, after.network_access === true];
  if (wasOnline !== isOnline) {
    report(
      isOnline ? "major" : "minor",
      `the node ${isOnline ? "needs the network now" : "no longer needs the network"}`,
    );
  }
}

const MINIMUMS = [
  "minimum_accelerator_memory_bytes",
  "minimum_system_memory_bytes",
  "minimum_disk_bytes",
  "minimum_cpu_cores",
] as const;

/** An empty list means any accelerator. */
function diffAccelerators(before: readonly string[], after: readonly string[], report: ReportChange): void {
  const { won, lost } = difference(before, after);
  if (won.length === 0 && lost.length === 0) return;
  if (after.length === 0) return report("minor", "the node runs on any accelerator now");
  if (before.length === 0) return report("major", `the node runs on ${after.join(", ")} only now`);
  if (lost.length > 0) report("major", `the node no longer runs on ${lost.join(", ")}`);
  if (won.length > 0) report("minor", `the node runs on ${won.join(", ")} now`);
}

/** Compares traits: graphs rely on what the node does not do. */
export function diffTraits(before: Traits, after: Traits, report: ReportChange): void {
  for (const trait of ["deterministic", "cacheable"] as const) {
    if (before[trait] !== after[trait]) {
      report(after[trait] ? "minor" : "major", `the node is ${after[trait] ? "" : "not "}${trait} now`);
    }
  }
  if (before.side_effects !== after.side_effects) {
    const order = ["none", "local", "external"];
    const more = order.indexOf(after.side_effects) > order.indexOf(before.side_effects);
    report(more ? "major" : "minor", `the side effects are ${after.side_effects}, they were ${before.side_effects}`);
  }
  for (const trait of ["supports_progress", "supports_previews"] as const) {
    if (before[trait] !== after[trait]) report("minor", `${trait} is ${after[trait]} now`);
  }
}
