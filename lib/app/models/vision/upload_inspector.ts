/**
 * Looks at uploads of vision routes.
 *
 * @module
 */
import type { UploadInspector } from "../../../api/service/vision/vision_files.ts";
import { VISION_IMAGE_LIMITS } from "../../../media/images/image_format.ts";
import { inspectVideo } from "../../../media/video/clip/open_clip.ts";
import { openFileReader } from "../../../platform/files/read_part.ts";
import { imageFileSize } from "../image_file_size.ts";

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
