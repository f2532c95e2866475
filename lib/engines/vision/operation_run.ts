/**
 * What runs of vision operations share: the images they read, the files they write, the times they report.
 *
 * @module
 */
import { decodeImage, decodeRgbaImage } from "../../media/images/decode_image.ts";
import { VISION_IMAGE_LIMITS } from "../../media/images/image_format.ts";
import type { RgbaImage, RgbImage } from "../../media/images/rgb_image.ts";
import { type Artifact, type ArtifactEntry, describeArtifact } from "../../models/vision/artifacts/artifact.ts";
import { mkdir, readFile, writeFile } from "../../platform/files/file_system.ts";
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

/** An image without transparency. */
export async function readRgbImage(path: string): Promise<RgbImage> {
  return await decodeImage(new Uint8Array(await readFile(path)), VISION_IMAGE_LIMITS);
}

/** An image with its transparency. */
export async function readRgbaImage(path: string): Promise<RgbaImage> {
  return await decodeRgbaImage(new Uint8Array(await readFile(path)), VISION_IMAGE_LIMITS);
}

/** Seconds by the names of parts, one running at a time. */
export class StageTimes {
  readonly #seconds: Record<string, number> = {};
  readonly #begin: number = performance.now();
  #since: number = this.#begin;
  #stage: string | undefined;

  /** Ends the running part and begins another one; parts of one name add up. */
  enter(stage: string): void {
    const now = performance.now();
    if (this.#stage !== undefined) this.add(this.#stage, (now - this.#since) / 1000);
    this.#stage = stage;
    this.#since = now;
  }

  /** Adds seconds that were measured elsewhere. */
  add(name: string, seconds: number): void {
    this.#seconds[name] = (this.#seconds[name] ?? 0) + seconds;
  }

  /** `{<name>_seconds}` for each of the names, rounded to microseconds. */
  report(names: readonly string[]): Record<string, number> {
    this.enter("reporting");
    const all: Record<string, number> = { ...this.#seconds, total: (this.#since - this.#begin) / 1000 };
    return Object.fromEntries(names.map((name) => [`${name}_seconds`, Math.round((all[name] ?? 0) * 1e6) / 1e6]));
  }
}

/** The time a load took, in seconds; each load is reported once. */
export interface LoadTime {
  take(): number;
}

/** Only the first operation has waited for the load. */
export function loadTime(seconds: number): LoadTime {
  let left = seconds;
  return {
    take() {
      const taken = left;
      left = 0;
      return taken;
    },
  };
}
