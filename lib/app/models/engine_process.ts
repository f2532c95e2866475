/**
 * The process that a model runs in.
 *
 * @module
 */
import process from "node:process";
import { serveEngine } from "../../engines/process/serve_engine.ts";
import { enginePort } from "./engine_port.ts";
import { openEngine } from "./open_engine.ts";

await serveEngine(enginePort(), openEngine);
process.exit();
