/**
 * Image files that clients name.
 *
 * @module
 */
import { open, stat } from "node:fs/promises";
import { show } from "../../errors/show.ts";
import { invalidRequest } from "../../errors/svc_error.ts";

/** How error messages name a file. */
export interface ImageFileOptions {
  /** As the client named it. */
  readonly name: string;
  /** Maximum number of bytes. */
  readonly limit: number;
  /** Request field that names it. */
  readonly param: string;
}

/**
 * Reads a file that the path policy has allowed.
 *
 * @throws {SvcError} `image_not_found`, `image_too_large`.
 */
export async function readImageFile(
  target: string,
  { name, limit, param }: ImageFileOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  // Opening a pipe would block until a writer opens it.
  const isFile = await stat(target).then((info) => info.isFile(), () => false);
  const file = isFile ? await open(target, "r").catch(() => undefined) : undefined;
  try {
    const info = await file?.stat();
    if (!file || !info) {
      const message = `Cannot read the image ${show(name)}: the file does not exist`;
      throw invalidRequest("image_not_found", message, param);
    }
    if (info.size > limit) {
      const message = `Cannot read the image ${show(name)}: it has ${info.size} bytes, expected at most ${limit}`;
      throw invalidRequest("image_too_large", message, param);
    }
    return new Uint8Array(await file.readFile());
  } finally {
    await file?.close();
  }
}
