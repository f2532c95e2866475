/**
 * The box of the picture: its size on the screen.
 *
 * @module
 */
import { byId } from "../ui/dom.ts";

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
 * Fits a picture into a room: one that is enlarged smoothly as large as it can be, another one at a whole factor of the
 * screen's own pixels where that leaves at least three quarters of the size.
 *
 * @param picture Its size in pixels.
 * @param room The room in CSS pixels.
 * @param ratio Pixels of the screen for one CSS pixel.
 * @param smooth Whether it is enlarged smoothly.
 */
export function fitPicture(picture: Size, room: Size, ratio: number, smooth: boolean): Fit {
  const most = Math.min(room.width / picture.width, room.height / picture.height);
  const whole = Math.floor(most * ratio + 1e-6) / ratio;
  const sharp = !smooth && whole > 0 && whole / most >= WORTH;
  const factor = sharp ? whole : Math.max(0, most);
  return { width: picture.width * factor, height: picture.height * factor, sharp };
}

/**
 * The box that every picture and every piece of video fills, so that none of them moves: as large as the window allows,
 * at whole factors of the frames of the world where their pixels are to be seen.
 */
export class StageBox {
  readonly #room = byId("room", HTMLElement);
  readonly #box = byId("stage", HTMLElement);
  #frame: Size = { width: 3, height: 2 };
  #known = false;
  #smooth = true;

  constructor() {
    const fit = (): void => this.#fit();
    new ResizeObserver(fit).observe(this.#room);
    // The room of a page that is not full screen does not change with the height of the window or its zoom.
    addEventListener("resize", fit);
  }

  /** The frames of the world have this size. */
  frame({ width, height }: Size): void {
    this.#known = true;
    this.#set({ width, height });
  }

  /** A picture has this size, which counts where that of the world's frames is unknown. */
  picture(size: Size): void {
    if (!this.#known && size.width > 0) this.#set(size);
  }

  /** Whether frames are enlarged smoothly, not as blocks. */
  smooth(on: boolean): void {
    this.#smooth = on;
    this.#fit();
  }

  /** Whether a picture has the size of the frames of the world. */
  isFrame({ width, height }: Size): boolean {
    return width === this.#frame.width && height === this.#frame.height;
  }

  #set(frame: Size): void {
    if (frame.width === this.#frame.width && frame.height === this.#frame.height) return;
    this.#frame = frame;
    this.#fit();
  }

  #fit(): void {
    const style = getComputedStyle(this.#room);
    const most = parseFloat(style.maxHeight);
    const height = Number.isFinite(most) ? most : this.#room.clientHeight;
    const fit = fitPicture(this.#frame, { width: this.#room.clientWidth, height }, devicePixelRatio, this.#smooth);
    const { style: box } = this.#box;
    box.width = `${fit.width}px`;
    box.height = `${fit.height}px`;
    this.#box.classList.toggle("sharp", fit.sharp);
    this.#align();
  }

  /**
   * Moves the box by less than a pixel to where pixels of the screen begin. Not by a transform: the readouts of the full
   * screen would be placed in it.
   */
  #align(): void {
    const { style } = this.#box;
    style.left = style.top = "0";
    const { left, top } = this.#box.getBoundingClientRect();
    const off = (at: number): string => `${Math.round(at * devicePixelRatio) / devicePixelRatio - at}px`;
    [style.left, style.top] = [off(left + scrollX), off(top + scrollY)];
  }
}
