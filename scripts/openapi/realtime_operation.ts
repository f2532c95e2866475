/**
 * OpenAI's Realtime.
 *
 * @module
 */
import type { Operation } from "./operation.ts";

/** The operation: a handshake, whose events docs/model-api.md describes. */
export const realtimeOperations: readonly Operation[] = [
  {
    method: "get",
    path: "/v1/realtime",
    id: "realtime",
    tag: "inference",
    summary: "A conversation by events over a WebSocket, as text and as sound",
    description:
      "A handshake of version 13 (RFC 6455). The query may have model, the id or alias of a chat model. The " +
      "header OpenAI-Beta: realtime=v1, or the subprotocol openai-beta.realtime-v1, chooses the events of the beta. A " +
      "browser sends the key as a subprotocol, openai-insecure-api-key.KEY, and realtime besides. A message has at most " +
      "16 MiB; there are at most 64 sessions, of an hour each. A model that is not installed is an event error.",
    answers: { 101: { description: "The session is open; its events follow" } },
    errors: { 426: ["upgrade_required"], 429: ["rate_limit_exceeded", "too_many_realtime_sessions"] },
  },
];
