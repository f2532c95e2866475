/**
 * Images in the messages of a chat.
 *
 * @module
 */
import type { ChatRequest, ImagePlace } from "../../protocol/mod.ts";
import { invalidRequest } from "../../errors/svc_error.ts";

/** Maximum number of bytes of all images of a request together. */
export const MAX_CHAT_IMAGE_BYTES: number = 32 * 2 ** 20;

/** An image in a local file. */
export type ImageFile = Exclude<ImagePlace, { readonly kind: "data" }>;

/**
 * Reads a file that a client names, if the path policy allows it.
 *
 * @param limit Maximum number of bytes.
 * @param param Path of the field that names it, for errors.
 */
export type ReadImage = (file: ImageFile, limit: number, param: string) => Promise<Uint8Array>;

/** Returns the bytes of a validated image. */
export type ImageSource = () => Promise<Uint8Array>;

/**
 * Checks all images of a request, in order. None is fetched from elsewhere, and none is decoded here. Files are read
 * again when the request runs: many requests may be queued, and their images would fill the memory.
 *
 * @throws {SvcError} `image_too_large`, `image_unsupported`, and whatever `read` throws.
 */
export async function checkChatImages(request: ChatRequest, read: ReadImage): Promise<ImageSource[]> {
  const sources: ImageSource[] = [];
  let left = MAX_CHAT_IMAGE_BYTES;
  for (const [i, { content }] of request.messages.entries()) {
    if (typeof content === "string") continue;
    for (const [j, part] of content.entries()) {
      if (part.type !== "image") continue;
      const { image } = part;
      const param = `messages[${i}].content[${j}]`;
      const limit = left;
      const bytes = image.kind === "data" ? fromBase64(image.base64) : await read(image, limit, param);
      left -= bytes.length;
      if (left < 0) {
        const message =
          `Cannot complete the chat: its images are larger than ${MAX_CHAT_IMAGE_BYTES} bytes together, ` +
          "expected fewer or smaller ones";
        throw invalidRequest("image_too_large", message, param);
      }
      if (!isKnownImage(bytes)) {
        const message = `Cannot complete the chat: the format of "${param}" is unknown, expected PNG, JPEG or WebP`;
        throw invalidRequest("image_unsupported", message, param);
      }
      sources.push(image.kind === "data" ? () => Promise.resolve(bytes) : () => read(image, limit, param));
    }
  }
  return sources;
}

/** The request without the image data of its messages, since the engine gets the bytes of all images separately. */
export function withoutImageData(request: ChatRequest): ChatRequest {
  const messages = request.messages.map((message) => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    const content = message.content.map((part) =>
      part.type === "image" && part.image.kind === "data" ? { ...part, image: { ...part.image, base64: "" } } : part
    );
    return { ...message, content };
  });
  return { ...request, messages };
}

function fromBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Whether bytes start like a PNG, JPEG or WebP file. */
function isKnownImage(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  return head.startsWith("\x89PNG\r\n\x1a\n") || head.startsWith("\xff\xd8\xff") || /^RIFF[^]{4}WEBP/.test(head);
}
