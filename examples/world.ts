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
const { job_id } = await session.startRollout({ prompt: "a corridor", action_seq: ["w"], num_output_frames: 3 });
await new Promise<void>((resolve) => {
  const stop = session.events.subscribe(() => {
    if (session.job(job_id).active) return;
    stop();
    resolve();
  });
});
const { status, rollout_receipt } = session.job(job_id).record();
console.log(status, rollout_receipt?.pixel_frame_count);

await session.close();
await rm(folder, { recursive: true });
