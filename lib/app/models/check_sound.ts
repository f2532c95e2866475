import { recogniseSound } from "../../media/audio/decoding/open_audio.ts";
import { openFileReader } from "../../platform/files/read_part.ts";

/**
 * Looks at the first bytes of a file.
 *
 * @throws {SvcError} `audio_unsupported` when it is no sound; the message says what it is.
 */
export async function checkSound(path: string): Promise<void> {
  const file = await openFileReader(path);
  try {
    await recogniseSound(file);
  } finally {
    await file.close();
  }
}
