// deno-lint-ignore-file no-console
// Runs a world session with files of its own: deno run -A examples/world.ts, or npx tsx examples/world.ts
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderFiles, openWorldBackend, WorldSession } from "../lib/app/world_host.ts";
import { openMedia } from "../lib/media/mod.ts";

const folder = await mkdtemp(join(tmpdir(), "svc-example-"));
const { backend, record, roots } = await openWorldBackend({ backend: "arworld", device: "cpu" });
const session = new WorldSession({
  backend,
  record,
  roots,
  media: openMedia(),
  files: folderFiles(folder),
  clock: () => new Date(),
  newId: () => crypto.randomUUID(),
});

await session.setSource(new Uint8Array(await readFile("examples/corridor.png")));
const { jobId } = await session.startRollout({ prompt: "a corridor", actionSeq: ["w"], numOutputFrames: 3 });
await new Promise<void>((resolve) => {
  const stop = session.events.subscribe(() => {
    if (session.job(jobId).active) return;
    stop();
    resolve();
  });
});
const { status, rolloutReceipt } = session.job(jobId).record();
console.log(status, rolloutReceipt?.pixelFrameCount);

await session.close();
await rm(folder, { recursive: true });
