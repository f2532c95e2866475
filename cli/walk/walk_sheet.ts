import { contactSheet } from "../../lib/media/images/contact_sheet.ts";
import type { RgbImage } from "../../lib/media/images/rgb_image.ts";
import type { ChunkRecord } from "../../lib/world/protocol/job_record.ts";

/**
 * The frames that a contact sheet shows: the first one and the last one of every block; of a long walk 24 of them,
 * evenly spread, including the first and the very last.
 */
export function sheetFrames(chunks: readonly ChunkRecord[]): readonly number[] {
  const ends = chunks.map((chunk) => chunk.pixelFrameRange[1] - 1);
  const all = [...new Set([0, ...ends])];
  if (all.length <= MAX_PICTURES) return all;
  const step = (all.length - 1) / (MAX_PICTURES - 1);
  return Array.from({ length: MAX_PICTURES }, (_, picture) => all[Math.round(picture * step)] as number);
}

/** Lays frames out six in a row; small ones are enlarged by whole pixels until they are about 192 wide. */
export function walkSheet(pictures: readonly RgbImage[]): RgbImage {
  const width = pictures[0]?.width ?? 1;
  return contactSheet(pictures, {
    columns: Math.min(pictures.length, COLUMNS),
    scale: Math.max(1, Math.round(PICTURE_WIDTH / width)),
  });
}

const MAX_PICTURES = 24;
const COLUMNS = 6;
const PICTURE_WIDTH = 192;
