/**
 * Decodes the images of a chat.
 *
 * @module
 */
import { invalidRequest, SvcError } from "../../errors/svc_error.ts";
import { decodeImage } from "../../media/images/decode_image.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";

/**
 * An image of a message.
 *
 * @throws {SvcError} `invalid_image` if it is not an image, or too large.
 */
export async function decodeChatImage(bytes: Uint8Array): Promise<RgbImage> {
  try {
    return await decodeImage(bytes);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const reason = error.message.replace(/^Cannot decode /, "");
    throw invalidRequest(
      "invalid_image",
      `Cannot complete the chat: an image cannot be decoded, ${reason}`,
      "messages",
    );
  }
}
