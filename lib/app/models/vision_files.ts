/**
 * Files of vision routes on the disk of the server: uploads to look at, results to serve.
 *
 * @module
 */
import type { Clock } from "../../scheduling/mod.ts";
import type { ArtifactStore, KeptFile, UploadInspector } from "../../api/service/vision/vision_files.ts";
import { mkdir, rename, rm } from "../../platform/files/file_system.ts";
import { join, pathToFileURL } from "../../platform/files/paths.ts";
import { artifactRoot, makeWorkFolder, sweepWorkFolders } from "../../platform/files/work_folder.ts";
import { VISION_IMAGE_LIMITS } from "../../media/images/image_format.ts";
import { inspectVideo } from "../../media/video/clip/open_clip.ts";
import { openFileReader } from "../../platform/files/read_part.ts";
import { imageFileSize } from "./chat_image_files.ts";

/** Milliseconds that a result is kept: one hour. */
export const ARTIFACT_LIFETIME: number = 60 * 60 * 1000;

/** A result that is kept. */
interface Kept {
  readonly files: ReadonlyMap<string, KeptFile>;
  readonly until: number;
  /** Removes it now. */
  remove(): Promise<void>;
}

/**
 * Opens the results of this server: a private folder of its own below the temporary directory. What servers that died
 * left behind is removed. A result goes after an hour by `clock`, and with the server.
 */
export async function openArtifactStore(
  clock: Clock,
  newId: () => string,
  root: string = artifactRoot(),
): Promise<ArtifactStore> {
  await sweepWorkFolders(root);
  const results = new Map<string, Kept>();
  let home: ReturnType<typeof makeWorkFolder> | undefined;
  return {
    async keep(folder, files) {
      home ??= makeWorkFolder(root);
      const id = newId();
      const place = join((await home).path, id);
      await mkdir((await home).path, { recursive: true, mode: 0o700 });
      await rename(folder, place);
      const remove = async () => {
        cancel();
        results.delete(id);
        await rm(place, { recursive: true, force: true });
      };
      const cancel = clock.after(ARTIFACT_LIFETIME, () => void remove().catch(() => {}));
      results.set(id, {
        files: new Map(files.map(({ path, mediaType }) => [path, { path: join(place, path), mediaType }])),
        until: clock.now() + ARTIFACT_LIFETIME,
        remove,
      });
      return { id, url: (path) => pathToFileURL(join(place, path)).href };
    },
    find(id, path) {
      const kept = results.get(id);
      if (!kept) return undefined;
      // Timers stand still while a machine sleeps.
      if (clock.now() < kept.until) return kept.files.get(path);
      void kept.remove().catch(() => {});
      return undefined;
    },
    async close() {
      for (const { remove } of [...results.values()]) await remove();
      await (await home)?.remove();
    },
  };
}

/** Reads the headers of images and videos; decodes nothing. */
export const uploadInspector: UploadInspector = {
  imageSize: (path) => imageFileSize(path, VISION_IMAGE_LIMITS),
  async videoFacts(path, maxFrames) {
    const file = await openFileReader(path);
    try {
      return await inspectVideo(file, maxFrames);
    } finally {
      await file.close();
    }
  },
  async readText(path, maxBytes) {
    const file = await openFileReader(path);
    try {
      if (file.size > maxBytes) return undefined;
      return new TextDecoder("utf-8", { fatal: true }).decode(await file.read(0, file.size));
    } catch {
      return undefined;
    } finally {
      await file.close();
    }
  },
};
