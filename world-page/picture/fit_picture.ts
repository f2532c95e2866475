/**
 * The size of the picture on the screen.
 *
 * @module
 */

/** Width and height. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large a picture is shown. */
export interface Fit extends Size {
  /** Whether every pixel of the picture covers the same whole number of pixels of the screen. */
  readonly sharp: boolean;
}

/** Smallest part of the possible width for which a whole factor is worth its margin. */
const WORTH = 0.75;

/**
 * Fits a picture into a room: at a whole factor of the screen's own pixels where that leaves at least three quarters of
 * the size, else as large as it can be.
 *
 * @param picture Its size in pixels.
 * @param room The room in CSS pixels.
 * @param ratio Pixels of the screen for one CSS pixel.
 */
export function fitPicture(picture: Size, room: Size, ratio: number): Fit {
  const most = Math.min(room.width / picture.width, room.height / picture.height);
  const whole = Math.floor(most * ratio + 1e-6) / ratio;
  const sharp = whole > 0 && whole / most >= WORTH;
  const factor = sharp ? whole : Math.max(0, most);
  return { width: picture.width * factor, height: picture.height * factor, sharp };
}
