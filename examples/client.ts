// deno-lint-ignore-file no-console
// Walks through a server's world: deno run -A examples/client.ts [URL]; without a URL it starts a server of its own
import process from "node:process";
import { WorldClient } from "../lib/world/client/mod.ts";
import { startWorldServer } from "../mod.ts";

const url = process.argv[2];
const server = url === undefined ? await startWorldServer({ port: 0, device: "cpu", log: () => {} }) : undefined;
const client = new WorldClient(url ?? server!.url);

await client.prepare();
const start = await client.start();
await client.uploadSource(await client.startImage());
const { job_id } = await client.startRollout({
  prompt: start.prompt,
  action_seq: ["w", "l"],
  num_output_frames: 6,
});
const job = await client.awaitJob(job_id);
console.log(`${job.status}: ${job.chunks.length} chunks, ${(await client.output(job_id)).length} bytes of video`);

await server?.close();
