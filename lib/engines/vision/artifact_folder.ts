/**
 * Writes the files of an operation.
 *
 * @module
 */
import { type Artifact, type ArtifactEntry, describeArtifact } from "../../models/vision/artifacts/artifact.ts";
import { mkdir, writeFile } from "../../platform/files/file_system.ts";
import { dirname, join } from "../../platform/files/paths.ts";

/** A private folder that files are written to, each once. */
export class ArtifactFolder {
  /** What was written. */
  readonly entries: ArtifactEntry[] = [];
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder where it is missing. */
  static async open(folder: string): Promise<ArtifactFolder> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new ArtifactFolder(folder);
  }

  /** Writes a file that only this user can read. */
  async write(artifact: Artifact): Promise<ArtifactEntry> {
    const path = join(this.#folder, artifact.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, artifact.bytes, { flag: "wx", mode: 0o600 });
    const entry = await describeArtifact(artifact);
    this.entries.push(entry);
    return entry;
  }
}
