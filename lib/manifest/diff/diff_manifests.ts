/**
 * Compares two manifests of a provider.
 *
 * @module
 */
import {
  type Bump,
  bumpBetween,
  bumped,
  bumpFor,
  type Change,
  greaterBump,
  type ReportChange,
} from "./version_bump.ts";
import { diffInputs, diffOutputs } from "./diff_ports.ts";
import { diffRequirements, diffTraits } from "./diff_traits.ts";
import type { Manifest, Node } from "../manifest.ts";
import { quote } from "../../json/json_text.ts";

export type { Change } from "./version_bump.ts";
export type { Bump } from "./version_bump.ts";

/** The changes, and whether the version reflects them. */
export interface ManifestDiff {
  /** By node, in the order of the new manifest, removed nodes last. */
  readonly changes: readonly Change[];
  /** Whether any change is breaking. */
  readonly breaking: boolean;
  /** The bump that the changes require, which before 1.0.0 is one part lower. */
  readonly bump: Bump;
  /** Version of the old manifest. */
  readonly oldVersion: string;
  /** Version of the new manifest. */
  readonly newVersion: string;
  /** The lowest sufficient version. */
  readonly expectedVersion: string;
  /** Whether the new version suffices. */
  readonly enough: boolean;
}

/**
 * Compares two conforming manifests from the perspective of those who build and run graphs. A change is breaking when
 * valid arguments are refused or missing, results are lost or have another kind, or the node requires more of the
 * machine.
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
  for (const kind of old.keys()) changes.push({ kind, bump: "major", message: "the node was removed" });
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
    if (before[field] !== after[field]) report("patch", `the ${field} has changed`);
  }
  diffInputs(before.inputs, after.inputs, report);
  diffOutputs(before.outputs, after.outputs, report);
  diffRequirements(before.requirements, after.requirements, report);
  diffTraits(before.traits, after.traits, report);
  if (before.presentation?.primary_argument !== after.presentation?.primary_argument) {
    report("patch", "the primary argument has changed");
  } else if (before.presentation?.style !== after.presentation?.style) report("patch", "the presentation has changed");
}

function nodesByKind({ nodes }: Manifest): Map<string, Node> {
  return new Map(nodes.map((node) => [node.kind, node]));
}
