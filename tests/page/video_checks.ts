/**
 * What the video of a page shows.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** What the video shows. */
export interface VideoPicture {
  readonly time: number;
  /** Mean brightness of the frame, 0 to 255. */
  readonly brightness: number;
  /** Whether a picture lies over it. */
  readonly covered: boolean;
}

/** Reads the video as it is now. */
export function readVideo(page: Page): Promise<VideoPicture> {
  return page.evaluate(() => {
    const video = document.querySelector("video")!;
    const canvas = new OffscreenCanvas(32, 32);
    const context = canvas.getContext("2d")!;
    context.drawImage(video, 0, 0, 32, 32);
    const { data } = context.getImageData(0, 0, 32, 32);
    const brightness = data.reduce((sum, value, i) => i % 4 === 3 ? sum : sum + value, 0) / (32 * 32 * 3);
    return {
      time: video.currentTime,
      brightness,
      covered: !document.querySelector<HTMLImageElement>("#still")!.hidden,
    };
  });
}

/**
 * Watches the video from now on; the function that is returned checks that its frames were shown in their order, and that
 * no more of it than this was never shown.
 */
export async function watchGaps(page: Page): Promise<(seconds: number) => Promise<void>> {
  const watch = await page.evaluateHandle(() => {
    const video = document.querySelector("video")!;
    const shown = {
      last: 0,
      gap: 0,
      back: 0,
      note(_now: number, { mediaTime }: VideoFrameCallbackMetadata): void {
        shown.gap = Math.max(shown.gap, mediaTime - shown.last);
        shown.back = Math.max(shown.back, shown.last - mediaTime);
        shown.last = mediaTime;
        video.requestVideoFrameCallback(shown.note);
      },
    };
    video.requestVideoFrameCallback(shown.note);
    return shown;
  });
  return async (seconds) => {
    const { gap: missing, back } = await watch.evaluate(({ gap, back }) => ({ gap, back }));
    assert.equal(back, 0, "the video never jumps back");
    assert.ok(missing < seconds, `${missing} s of the video were never shown`);
  };
}

/** Waits until the video is played to its last frame; returns its length in seconds. */
export async function playedOut(page: Page): Promise<number> {
  const ends = await page.waitForFunction(() => {
    const { readyState, currentTime, buffered } = document.querySelector("video")!;
    const ends = Array.from({ length: buffered.length }, (_, i) => buffered.end(i));
    return readyState === 2 && currentTime > ends[ends.length - 1] - 0.1 && ends;
  });
  const [end, ...others] = await ends.jsonValue() as number[];
  assert.deepEqual(others, [], "the video is one piece");
  return end;
}
