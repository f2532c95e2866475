/**
 * Compares two manifests of a provider.
 *
 * @module
 */
import type { Change, ReportChange } from "./change.ts";
import { diffInputs, diffOutputs } from "./diff_ports.ts";
import { diffRequirements, diffTraits } from "./diff_traits.ts";
import type { Manifest, Node } from "../manifest.ts";
import { type Bump, bumpBetween, bumped, bumpFor, greaterBump } from "./version_bump.ts";
import { quote } from "../words.ts";

export type { Change } from "./change.ts";
export type { Bump } from "./version_bump.ts";

/** What has changed, and whether the version says so. */
export interface ManifestDiff {
  /** By node, in the order of the new manifest, removed nodes last. */
  readonly changes: readonly Change[];
  /** Whether a change is a breaking one. */
  readonly breaking: boolean;
  /** What the changes ask of the version, which before 1.0.0 is one part less. */
  readonly bump: Bump;
  readonly oldVersion: string;
  readonly newVersion: string;
  /** The least version that says enough. */
  readonly expectedVersion: string;
  /** Whether the new version says enough. */
  readonly enough: boolean;
}

/**
 * Compares two conforming manifests as those see them who build graphs with the nodes and run them. Something breaks
 * when arguments that were right are refused or missing, results are lost or of another kind, or the node asks more of
 * the machine.
 *
 * @example
 * ```ts
 * import { diffManifests, type Manifest } from "@svc/sdk/manifest";
 *
 * const check = (before: Manifest, after: Manifest) => {
 *   const { enough, expectedVersion } = diffManifests(before, after);
 *   if (!enough) console.log(`the version should be at least ${expectedVersion}`);
 * };
 * ```
 */
export function diffManifests(before: Manifest, after: Manifest): ManifestDiff {
  const changes: Change[] = [];
  if (before.provider_id !== after.provider_id) {
    const message = `the provider is ${quote(after.provider_id)}, it was ${quote(before.provider_id)}`;
    changes.push({ bump: "major", message });
  }
  const old = nodesByKind(before);
  for (const [kind, node] of nodesByKind(after)) {
    const earlier = old.get(kind);
    old.delete(kind);
    const report: ReportChange = (bump, message) => changes.push({ kind, bump, message });
    if (earlier === undefined) report("minor", "the node is new");
    else diffNode(earlier, node, report);
  }
  for (const kind of old.keys()) changes.push({ kind, bump: "major", message: "the node is gone" });
  const max = changes.map(({ bump }): Bump => bump).reduce(greaterBump, "none");
  const [oldVersion, newVersion] = [before.provider_version, after.provider_version];
  const bump = bumpFor(max, oldVersion);
  const risen = bumpBetween(oldVersion, newVersion);
  return {
    changes,
    breaking: max === "major",
    bump,
    oldVersion,
    newVersion,
    expectedVersion: bumped(oldVersion, bump),
    enough: greaterBump(bump, risen) === risen,
  };
}

function diffNode(before: Node, after: Node, report: ReportChange): void {
  for (const field of ["title", "description", "category"] as const) {
    if (before[field] !== after[field]) report("patch", `the ${field} is another`);
  }
  diffInputs(before.inputs, after.inputs, report);
  diffOutputs(before.outputs, after.outputs, report);
  diffRequirements(before.requirements, after.requirements, report);
  diffTraits(before.traits, after.traits, report);
  if (before.presentation?.primary_argument !== after.presentation?.primary_argument) {
    report("patch", "the primary argument is another");
  } else if (before.presentation?.style !== after.presentation?.style) report("patch", "the presentation is another");
}

function nodesByKind({ nodes }: Manifest): Map<string, Node> {
  return new Map(nodes.map((node) => [node.kind, node]));
}
