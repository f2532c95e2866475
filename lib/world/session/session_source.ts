/**
 * The pictures that worlds begin with.
 *
 * @module
 */
import { MAX_IMAGE_BYTES } from "../../media/images/image_format.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { artifactNames } from "./artifact_numbers.ts";
import { stateAtSource } from "./graph/session_state.ts";
import type { SessionCore } from "./session_core.ts";

/** Reads a picture from where a client may point at one. */
export async function readSource({ options }: SessionCore, path: string): Promise<RgbImage> {
  return await options.media.decodeImage(await options.files.readClientFile(path, MAX_IMAGE_BYTES));
}

/** Leaves the world of a session for a new one that begins with a picture. */
export async function startAtSource(core: SessionCore, image: RgbImage): Promise<void> {
  const { media, newId } = core.options;
  core.files.protectFromNow();
  const path = core.files.statePath(artifactNames(await core.nextNumber("source")).source);
  await core.files.writeNew(path, await media.encodePng(image));
  await core.navigation.leaveFor(stateAtSource(newId(), { image, path }));
}
