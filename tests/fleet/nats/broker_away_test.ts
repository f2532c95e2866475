import assert from "node:assert/strict";
import { test } from "node:test";
import { type JetStreamManager, jserrors } from "@nats-io/jetstream/internal";
import { errors, RequestError } from "@nats-io/transport-node";
import { isAway } from "../../../fleet/nats/broker_trouble.ts";
import { ensureStream } from "../../../fleet/nats/layout.ts";

const { JetStreamApiError, StreamNotFoundError } = jserrors;

test("a broker that does not answer is distinguished from one that refuses, whatever its client wraps that in", () => {
  const { TimeoutError, NoRespondersError, ClosedConnectionError, PermissionViolationError } = errors;
  const away = [new TimeoutError(), new NoRespondersError("$JS.API.INFO"), new ClosedConnectionError()];
  for (const cause of away) assert.ok(isAway(new RequestError("failed", { cause })), cause.name);
  assert.ok(!isAway(new PermissionViolationError("no", "publish", "svc.x")));
  assert.ok(!isAway(new Error("no")));
});

test("a broker without a leader is away", () => {
  const refused = (code: number) => new JetStreamApiError({ code: 503, err_code: code, description: "no" });
  assert.ok(isAway(refused(10008)));
  assert.ok(!isAway(refused(10071)));
});

test("a stream is created where it is missing, and not where its broker does not answer", async () => {
  const made: string[] = [];
  const manager = (error: Error) => {
    const info = () => Promise.reject(error);
    const add = ({ name }: { name: string }) => Promise.resolve(made.push(name));
    return { streams: { info, add } } as unknown as JetStreamManager;
  };
  const missing = new StreamNotFoundError({ code: 404, err_code: 10059, description: "stream not found" });
  await ensureStream(manager(missing), { name: "A" });
  const silent = new errors.TimeoutError();
  await assert.rejects(ensureStream(manager(silent), { name: "B" }), silent);
  assert.deepEqual(made, ["A"]);
});
