import type { SessionRecord } from "../../fleet/protocol/broker.ts";

/** A session that waits for its first worker. */
export const waitingSession: SessionRecord = {
  pool: "default",
  tenant: "one",
  created_at: "2026-01-01T00:00:00.000Z",
  phase: "waiting",
  generation: 1,
  since: 1,
};
