import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import sharp from "sharp";

/** Shortest time between two pictures of a recording, in milliseconds. */
const STEP = 110;

/** Records what a page shows while something happens, as an animated WebP that stores what changes between pictures. */
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
  const delay = kept.map(({ at }, i) => Math.round((kept[i + 1]?.at ?? at + 1500) - at));
  return await sharp(kept.map(({ data }) => Buffer.from(data, "base64")), { join: { animated: true } })
    .webp({ quality, effort: 4, minSize: true, mixed: true, delay, loop: 0 }).toBuffer();
}
