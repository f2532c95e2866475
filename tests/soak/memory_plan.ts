/**
 * `deno run -A tests/soak/memory_plan.ts [--quick]`: the most memory that a world server takes at several sizes on the
 * CPU, beside what was planned. Ends with status 1 when they differ by more than 25 %. Linux only.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { openServedModel } from "../../lib/app/world/served_model.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { printMachine, printTable } from "../bench/table.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

/** Plan and measurement may differ by this share of the measurement. */
const TOLERANCE = 0.25;

const { values: { quick } } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const sizes = [[96, 64], [192, 128], [384, 256], ...(quick ? [] : [[640, 352], [960, 544]])];

/** A place of a world beside the first. */
const COURTYARD = new URL("../../models/corridor-nano/base/places/day.png", import.meta.url);

/** Megabytes that a server took at most for moves of a size. */
async function measure(backend: "arworld" | "actionworld", width: number, height: number): Promise<number> {
  let megabytes = NaN;
  await withFolder(async (folder) => {
    const server = startServer([
      ...["--port=0", "--json", "--device=cpu", `--backend=${backend}`, `--state-directory=${folder}`],
    ]);
    try {
      const client = new WorldClient(JSON.parse(await server.line).url);
      const { prompt } = await client.start();
      await client.uploadSource(await client.startImage());
      const size = { prompt, width, height };
      if (backend === "arworld") {
        // The programs of the model's own size stay beside those of another.
        const { jobId: own } = await client.startRollout({ prompt, actionSeq: ["w"], numOutputFrames: 3 });
        await client.awaitJob(own);
        await client.reset();
        // Beside the first world, of which a part stays.
        await client.uploadSource(await readFile(COURTYARD));
        // Five blocks: more than the window of the transformer holds.
        const { jobId } = await client.startRollout({ ...size, actionSeq: ["w"], numOutputFrames: 15 });
        await client.awaitJob(jobId);
      } else {
        const camera = { motion: "forward", translationMeters: [0, 0, 1], rotationDegrees: [0, 0, 0] } as const;
        for (const guidanceScale of [1, 2]) {
          const { jobId } = await client.startTransition({ ...size, camera, guidanceScale });
          await client.awaitJob(jobId);
        }
      }
      const status = await readFile(`/proc/${server.child.pid}/status`, "utf8");
      megabytes = Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1]) / 1024;
    } finally {
      if (server.child.exitCode === null) end(server, "SIGTERM");
      await server.exit;
    }
  });
  return megabytes;
}

printMachine();
const rows: string[][] = [];
for (const backend of ["arworld", "actionworld"] as const) {
  const { memory } = await openServedModel({ backend, device: "cpu" });
  for (const [width, height] of sizes) {
    const planned = await memory.plan({ width, height, frames: 17 }, "cpu") / 2 ** 20;
    const measured = await measure(backend, width, height);
    const error = planned / measured - 1;
    const verdict = Math.abs(error) <= TOLERANCE ? "" : "MISSED";
    rows.push([`${backend} ${width}x${height}`, ...[planned, measured, 100 * error].map((n) => n.toFixed(0)), verdict]);
  }
}
printTable(["size", "planned MiB", "measured MiB", "difference %", ""], rows);
process.exit(rows.some((row) => row.at(-1) !== "") ? 1 : 0);
