/**
 * The world server: `deno run -A servers/world.ts`.
 *
 * @module
 */
import { runMain } from "../lib/platform/processes/run_main.ts";
import { serveWorld } from "./serve_world.ts";

await runMain((args) => serveWorld("servers/world.ts", args));
