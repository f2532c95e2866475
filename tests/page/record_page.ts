import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { animatedWebp, type WebpFrame } from "./animated_webp.ts";

/** Shortest time between two pictures of a recording, in milliseconds. */
const STEP = 90;

/** Records what a page shows while something happens, as an animated WebP. */
export async function recordPage(page: Page, quality: number, during: () => Promise<void>): Promise<Uint8Array> {
  const { width, height } = page.viewportSize()!;
  const session = await page.context().newCDPSession(page);
  const shots: { readonly data: string; readonly at: number }[] = [];
  session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    shots.push({ data, at: (metadata.timestamp ?? 0) * 1000 });
    void session.send("Page.screencastFrameAck", { sessionId });
  });
  await session.send("Page.startScreencast", { format: "jpeg", quality: 95, maxWidth: width, maxHeight: height });
  await during();
  await session.send("Page.stopScreencast");
  const kept = shots.filter((shot, i) => i === 0 || Math.floor(shot.at / STEP) > Math.floor(shots[i - 1].at / STEP));
  const encoder = await page.context().newPage();
  const frames: WebpFrame[] = [];
  for (const [i, { data, at }] of kept.entries()) {
    const next = kept[i + 1]?.at ?? at + 1500;
    frames.push({ file: await toWebp(encoder, data, quality), duration: Math.round(next - at) });
  }
  await encoder.close();
  return animatedWebp(frames, width, height);
}

async function toWebp(page: Page, jpeg: string, quality: number): Promise<Uint8Array> {
  const text = await page.evaluate(async ({ jpeg, quality }) => {
    const image = await createImageBitmap(await (await fetch(`data:image/jpeg;base64,${jpeg}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d", { alpha: false })!.drawImage(image, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }, { jpeg, quality });
  return Buffer.from(text, "base64");
}
