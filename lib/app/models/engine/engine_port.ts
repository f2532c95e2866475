/**
 * The engine's end of the channel to its server.
 *
 * @module
 */
import type { EnginePort, EngineReply, EngineRequest } from "../../../engines/process/engine_messages.ts";
import { parentChannel } from "../../../platform/processes/parent_channel.ts";

/** Makes this process an engine's: it answers to its server alone, and ends with it. */
export function enginePort(): EnginePort<EngineReply, EngineRequest> {
  return parentChannel("svc engine");
}
