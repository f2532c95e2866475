/**
 * Local image files in chats.
 *
 * @module
 */
import { fileURLToPath } from "../../platform/files/paths.ts";
import type { ReadImage } from "../../api/service/mod.ts";
import type { PathPolicy } from "../../platform/files/path_policy.ts";
import { readImageFile } from "../../platform/files/read_image_file.ts";
import { invalidField } from "../../errors/svc_error.ts";
import { imageSize } from "../../media/images/decode_image.ts";
import type { ImageLimits } from "../../media/images/image_format.ts";
import { openFileReader } from "../../platform/files/read_part.ts";

/** Reads what `policy` allows; nothing is fetched over the network. */
export function chatImageFiles(policy: PathPolicy): ReadImage {
  return async (file, limit, param) => {
    const name = file.kind === "path" ? file.path : file.url;
    const path = file.kind === "path" ? file.path : pathOf(file.url, param);
    return await readImageFile(await policy.check(path), { name, limit, param });
  };
}

function pathOf(url: string, param: string): string {
  try {
    return fileURLToPath(url.replace(/^file:\/\/localhost(?=\/)/i, "file://"));
  } catch {
    const message = `Cannot read the image ${JSON.stringify(url)}: it is not a file URL of this machine`;
    throw invalidField(param, message);
  }
}

/** Bytes that identify the format of an image, and hold the header of a BMP. */
const HEAD: number = 16 * 1024;

/**
 * The size that an image will have, read from its header alone, however large the file is.
 *
 * @throws {SvcError} `image_unsupported`, `image_too_large`, `image_damaged`.
 */
export async function imageFileSize(
  path: string,
  limits: ImageLimits,
): Promise<{ readonly width: number; readonly height: number }> {
  const file = await openFileReader(path);
  try {
    const head = await file.read(0, HEAD);
    return await imageSize({ path, bytes: file.size, head }, limits);
  } finally {
    await file.close();
  }
}
