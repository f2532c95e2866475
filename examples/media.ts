// deno-lint-ignore-file no-console
// Encodes frames as a playable MP4 and reads them back: deno run -A examples/media.ts, or npx tsx examples/media.ts
import { decodeImage, encodePng, frameAt, openMedia, readVideoFrames, resizeImage } from "../lib/media/mod.ts";

const [width, height, count] = [64, 48, 12];
const data = new Uint8Array(width * height * 3 * count);
for (let i = 0; i < data.length; i++) data[i] = (i % (width * 3)) * 255 / (width * 3);
const frames = { width, height, count, data };

const media = openMedia();
const { bytes, codec } = await media.encodeChunk(frames, { fps: 16, firstFrame: 0, container: "mp4" });
await media.close();
console.log(`${count} frames as ${codec}: ${bytes.length} bytes`);

const read = await readVideoFrames(bytes, [0, count - 1]);
console.log(read.ok ? `read back ${read.frames.count} of them` : `cannot read them back: ${read.reason}`);

const png = await encodePng(resizeImage(frameAt(frames, 0), 32, 24));
const image = await decodeImage(png);
console.log(`a PNG of ${image.width}x${image.height}`);
