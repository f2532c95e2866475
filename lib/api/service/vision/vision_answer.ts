/**
 * Answers of the vision routes.
 *
 * @module
 */
import type { ArtifactEntry, VisionOutcome } from "../../../engines/vision/vision_operations.ts";
import type { KeptArtifacts } from "./vision_files.ts";

/** A file of an answer. */
export interface WireArtifact {
  readonly kind: string;
  readonly view_index?: number;
  readonly frame_index?: number;
  /** `file://`, on the server's machine. */
  readonly url: string;
  readonly media_type: string;
  readonly byte_count: number;
  readonly sha256: string;
}

/** An answer: the same keys on every route, and its own facts between them. */
export type VisionAnswer = Readonly<Record<string, unknown>> & {
  readonly object: string;
  readonly created: number;
  readonly status: "completed";
  readonly artifacts: readonly WireArtifact[];
};

/** A file as an answer lists it. */
export function wireArtifact(entry: ArtifactEntry, kept: KeptArtifacts): WireArtifact {
  return {
    kind: entry.kind,
    ...(entry.viewIndex !== undefined && { view_index: entry.viewIndex }),
    ...(entry.frameIndex !== undefined && { frame_index: entry.frameIndex }),
    url: kept.url(entry.path),
    media_type: entry.mediaType,
    byte_count: entry.byteCount,
    sha256: entry.sha256,
  };
}

/**
 * The answer for what an operation has made.
 *
 * @param named Keys of the single files: of the manifest, and of the file beside the list.
 */
export function visionAnswer(
  object: string,
  created: number,
  { facts, artifacts, manifest, companion, timing }: VisionOutcome,
  kept: KeptArtifacts,
  named: { readonly manifest: "manifest" | "manifest_url"; readonly companion?: "mesh_manifest" | "review" },
): VisionAnswer {
  return {
    object,
    created,
    status: "completed",
    ...facts,
    [named.manifest]: named.manifest === "manifest_url" ? kept.url(manifest.path) : wireArtifact(manifest, kept),
    ...(named.companion && companion && { [named.companion]: wireArtifact(companion, kept) }),
    artifacts: artifacts.map((entry) => wireArtifact(entry, kept)),
    timing,
  };
}

/** All files of an outcome, each once. */
export function outcomeFiles({ artifacts, manifest, companion }: VisionOutcome): ArtifactEntry[] {
  const all = [...artifacts, manifest, ...companion ? [companion] : []];
  return [...new Map(all.map((entry) => [entry.path, entry])).values()];
}
