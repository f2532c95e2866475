/**
 * Differences between two manifests, and the version bumps that they require.
 *
 * @module
 */

/** A part of a version to bump, or `none`. */
export type Bump = "major" | "minor" | "patch" | "none";

/** The greater one of two bumps. */
export function greaterBump(a: Bump, b: Bump): Bump {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

/**
 * The bump that changes require (Semantic Versioning 2.0.0). Before 1.0.0 a breaking change requires a minor bump and
 * any other a patch, as package managers interpret it.
 */
export function bumpFor(changes: Bump, version: string): Bump {
  if (!/^0+\./.test(version) || changes === "none") return changes;
  return changes === "major" ? "minor" : "patch";
}

/** The bump between two versions; `none` when the version is equal or lower. */
export function bumpBetween(from: string, to: string): Bump {
  const [before, after] = [numbersOf(from), numbersOf(to)];
  const at = before.findIndex((number, i) => number !== after[i]);
  if (at < 0) return from === to ? "none" : suffixBump(from, to);
  return after[at] > before[at] ? ORDER[3 - at] : "none";
}

/** The lowest version with this bump. */
export function bumped(version: string, bump: Bump): string {
  const [major, minor, patch] = numbersOf(version);
  switch (bump) {
    case "major":
      return `${major + 1n}.0.0`;
    case "minor":
      return `${major}.${minor + 1n}.0`;
    case "patch":
      return `${major}.${minor}.${patch + 1n}`;
    case "none":
      return version;
  }
}

const ORDER: readonly Bump[] = ["none", "patch", "minor", "major"];

/** From 1.2.0-beta to 1.2.0: the release may contain anything, so it counts as a major bump. */
function suffixBump(from: string, to: string): Bump {
  const isPreview = (version: string) => /^\d+\.\d+\.\d+-/.test(version);
  return isPreview(from) ? "major" : isPreview(to) ? "none" : "patch";
}

function numbersOf(version: string): bigint[] {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) as RegExpExecArray;
  return numbers.map(BigInt);
}

/** One difference. */
export interface Change {
  /** Kind of the changed node; absent when the provider has changed. */
  readonly kind?: string;
  /**
   * The version bump it requires under Semantic Versioning: `major` breaks graphs or machines that work with the old
   * manifest, `minor` adds something, `patch` changes only texts.
   */
  readonly bump: Exclude<Bump, "none">;
  /** One sentence for people. */
  readonly message: string;
}

/** Reports a difference within a node. */
export type ReportChange = (bump: Change["bump"], message: string) => void;
