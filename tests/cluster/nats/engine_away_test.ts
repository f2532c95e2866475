import assert from "node:assert/strict";
import { test } from "node:test";
import { errors, RequestError } from "@nats-io/transport-node";
import { isAway } from "../../../lib/cluster/nats/engine_away.ts";

test("an engine that does not answer is told from one that refuses, whatever its client wraps that in", () => {
  const { TimeoutError, NoRespondersError, ClosedConnectionError, PermissionViolationError } = errors;
  const away = [new TimeoutError(), new NoRespondersError("$JS.API.INFO"), new ClosedConnectionError()];
  for (const cause of away) assert.ok(isAway(new RequestError("failed", { cause })), cause.name);
  assert.ok(!isAway(new PermissionViolationError("no", "publish", "svc.x")));
  assert.ok(!isAway(new Error("no")));
});
