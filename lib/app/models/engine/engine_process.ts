/**
 * The process that a model runs in.
 *
 * @module
 */
import { serveEngine } from "../../../engines/process/serve_engine.ts";
import { endProcess } from "../../../platform/processes/parent_channel.ts";
import { enginePort } from "./engine_port.ts";
import { openEngine } from "./open_engine.ts";

await serveEngine(enginePort(), openEngine);
endProcess();
