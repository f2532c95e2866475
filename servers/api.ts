/**
 * The model API server: `deno run -A servers/api.ts`.
 *
 * @module
 */
import { runMain } from "../lib/platform/processes/run_main.ts";
import { serveApi } from "./serve_api.ts";

await runMain((args) => serveApi("servers/api.ts", args));
