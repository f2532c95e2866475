/**
 * The process that a model runs in.
 *
 * @module
 */
import { serveEngine } from "../../../engines/process/serve_engine.ts";
import { endProcess, parentChannel } from "../../../platform/processes/parent_channel.ts";
import { openEngine } from "./open_engine.ts";

await serveEngine(parentChannel("svc engine"), openEngine);
await endProcess();
