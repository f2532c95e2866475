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
const { jobId } = await client.startRollout({
  prompt: start.prompt,
  actionSeq: ["w", "l"],
  numOutputFrames: 6,
});
const job = await client.awaitJob(jobId);
console.log(`${job.status}: ${job.chunks.length} chunks, ${(await client.output(jobId)).length} bytes of video`);

await server?.close();
