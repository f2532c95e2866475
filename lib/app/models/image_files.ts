/**
 * Pictures of image requests on the disk of the server.
 *
 * @module
 */
import { rm, writeFile } from "../../platform/files/file_system.ts";
import { join, pathToFileURL } from "../../platform/files/paths.ts";
import { makeWorkFolder } from "../../platform/files/work_folder.ts";
import type { ImageFiles } from "../../api/service/images/image_request.ts";
import type { Clock } from "../../scheduling/mod.ts";
import { imageFileSize } from "./chat_image_files.ts";
import { IMAGE_LIMITS } from "../../media/images/image_format.ts";
import { SvcError } from "../../errors/svc_error.ts";
import { diskReason } from "../../platform/files/disk_reason.ts";

/** Milliseconds that an image is kept: one hour. */
const LIFETIME = 60 * 60 * 1000;

/** Files of a server; what it keeps goes when it closes. */
export interface OpenedImageFiles extends ImageFiles {
  close(): Promise<void>;
}

/** Opens them; a private folder is made for the first image that is kept. */
export function openImageFiles(clock: Clock): OpenedImageFiles {
  let home: ReturnType<typeof makeWorkFolder> | undefined;
  return {
    size: (path) => imageFileSize(path, IMAGE_LIMITS),
    async keep(png) {
      const { path: folder } = await (home ??= makeWorkFolder());
      const path = join(folder, `image-${crypto.randomUUID()}.png`);
      try {
        await writeFile(path, png, { flag: "wx", mode: 0o600 });
      } catch (cause) {
        await rm(path, { force: true });
        const reason = diskReason(cause);
        if (reason === undefined) throw cause;
        throw new SvcError("disk_full", `Cannot keep the image: ${reason}`, { cause });
      }
      clock.after(LIFETIME, () => void rm(path, { force: true }).catch(() => {}));
      return pathToFileURL(path).href;
    },
    close: async () => await (await home)?.remove(),
  };
}
