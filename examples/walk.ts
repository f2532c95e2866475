// deno-lint-ignore-file no-console
// Walks through the corridor and saves the video: deno run -A examples/walk.ts, or npx tsx examples/walk.ts
import { writeFile } from "node:fs/promises";
import { openWorld } from "../mod.ts";

await using world = await openWorld({ source: "examples/corridor.png" });
for await (const block of world.walk(["w", "w", "l", "l", "s"])) {
  console.log(`${block.action}: frames ${block.firstFrame} to ${block.firstFrame + block.frames.count - 1}`);
}
await writeFile("walk.mp4", await world.video());
