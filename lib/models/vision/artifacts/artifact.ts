/**
 * Files that an operation gives out.
 *
 * @module
 */

/** A file, before it is written anywhere. */
export interface Artifact {
  /** What it is, in the words of the API. */
  readonly kind: string;
  /** Path below the folder of the operation, with `/`. */
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The view that it belongs to. */
  readonly viewIndex?: number;
  /** The frame that it belongs to. */
  readonly frameIndex?: number;
}

/** A file without its content, as manifests and answers list it. */
export interface ArtifactEntry {
  readonly kind: string;
  readonly path: string;
  readonly viewIndex?: number;
  readonly frameIndex?: number;
  readonly mediaType: string;
  readonly byteCount: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** Type of a JSON file. */
const JSON_TYPE = "application/json";

/** Type of an OpenEXR image. */
export const EXR_TYPE = "image/x-exr";

/** What manifests say about a file. */
export async function describeArtifact(artifact: Artifact): Promise<ArtifactEntry> {
  const { kind, path, viewIndex, frameIndex, mediaType, bytes } = artifact;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return {
    kind,
    path,
    ...(viewIndex !== undefined && { viewIndex }),
    ...(frameIndex !== undefined && { frameIndex }),
    mediaType,
    byteCount: bytes.length,
    sha256: Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""),
  };
}

/** A value as a JSON file. Numbers that JSON does not have become `null`. */
export function jsonArtifact(kind: string, path: string, value: unknown): Artifact {
  const bytes = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  return { kind, path, mediaType: JSON_TYPE, bytes };
}

/** The manifest of an operation: facts about it, and every file with its hash. */
export function manifestArtifact(
  kind: string,
  path: string,
  schemaVersion: number,
  facts: Readonly<Record<string, unknown>>,
  artifacts: readonly ArtifactEntry[],
): Artifact {
  return jsonArtifact(kind, path, { schemaVersion, ...facts, artifacts });
}

/** By view, then by frame, kind and path; what belongs to no view or frame comes last. */
export function sortEntries(entries: readonly ArtifactEntry[]): ArtifactEntry[] {
  const place = ({ viewIndex, frameIndex }: ArtifactEntry) => viewIndex ?? frameIndex ?? Infinity;
  const text = ({ kind, path }: ArtifactEntry) => `${kind}\0${path}`;
  return [...entries].sort((a, b) => {
    if (place(a) !== place(b)) return place(a) - place(b);
    return text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0;
  });
}

/** `000007` */
export function sixDigits(index: number): string {
  return String(index).padStart(6, "0");
}
