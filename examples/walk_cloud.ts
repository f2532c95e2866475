// deno-lint-ignore-file no-console
// Walks through the corridor, relates some of its frames to each other and shows the points of all of them on a page:
//   deno run -A examples/walk_cloud.ts [DIR], or npx tsx examples/walk_cloud.ts [DIR]
// It needs the model vision-geometry-da3-small. What stands in for it after `npm run tiny-models` has random weights: it
// proves that frames become files and a page, and its cloud looks like nothing. The shape of the corridor needs the real one:
// svc model pull vision-geometry-da3-small
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { openWorld } from "../mod.ts";
import { encodePng, frameAt } from "../lib/media/mod.ts";

const [folder = "walk-cloud"] = process.argv.slice(2);
const VIEWS_A_BLOCK = 2;

// The walk: views that overlap, from places that differ.
await mkdir(join(folder, "frames"), { recursive: true });
const views: string[] = [];
{
  await using world = await openWorld({ device: "cpu" });
  for await (const { action, frames } of world.walk(["w", "wl", "w"])) {
    for (let i = 0; i < VIEWS_A_BLOCK; i++) {
      const path = join(folder, "frames", `${String(views.length).padStart(3, "0")}-${action}.png`);
      await writeFile(path, await encodePng(frameAt(frames, Math.floor(i * frames.count / VIEWS_A_BLOCK))));
      views.push(path);
    }
  }
}
console.log(`walked: ${views.length} views in ${join(folder, "frames")}`);

// Depth and cameras of all views, a cloud in one world, and the page that shows it.
const svc = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
const runtime = "Deno" in globalThis ? ["run", "-A"] : process.execArgv;
const options = ["-o", join(folder, "cloud"), "--process-resolution", "168"];
const child = spawn(process.execPath, [...runtime, svc, "vision", "multiview", ...views, ...options], {
  stdio: "inherit",
});
const [status] = await once(child, "close");
process.exitCode = Number(status);
