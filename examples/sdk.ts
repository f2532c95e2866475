// deno-lint-ignore-file no-console
// Walks, undoes a move and returns to a checkpoint: deno run -A examples/sdk.ts, or npx tsx examples/sdk.ts
import { openWorld } from "../mod.ts";

await using world = await openWorld({ device: "cpu", seed: 7 });

// A walk: one word for each block of frames.
for await (const { action, frames, mp4 } of world.walk(["w", "wl"])) {
  console.log(`${action}: ${frames.count} frames of ${frames.width}x${frames.height}, ${mp4.length} bytes`);
}

// A checkpoint keeps the exact state: latents, caches, pose and scene memory.
const door = await world.createCheckpoint("at the door");

// A camera move, and its exact inverse, which is replayed instead of generated.
await world.move("l", { frames: 17 });
const { receipt } = await world.back();
console.log(`undone: ${receipt.replayed}`);

// A walk that is left early stays where it is; each of its blocks can be undone too.
for await (const _ of world.walk(["s3"])) break;
await world.back();

await world.restoreCheckpoint(door.checkpointId);
console.log(
  `the path has ${world.snapshot().stateIds.length} states and a video of ${(await world.video()).length} bytes`,
);
