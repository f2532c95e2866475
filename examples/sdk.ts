// deno-lint-ignore-file no-console
// Walks, undoes a move, returns to a checkpoint and makes an image: deno run -A examples/sdk.ts, or npx tsx examples/sdk.ts
import { openModels, openWorld } from "../mod.ts";

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

// An image of a place, with a preview on the way. Chats, speech, transcriptions and vision are methods of `models` too.
await using models = await openModels({ device: "cpu", memoryGuard: { tier: "off" } });
const prompt = "a blue corridor with red doors and warm lamps, bright";
for await (
  const { preview, width, height, png } of models.streamImage({ prompt, size: "192x128", partial_images: 1 })
) {
  console.log(`${preview === undefined ? "image" : "preview"} of ${width}x${height}: ${png.length} bytes`);
}
