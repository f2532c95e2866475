import assert from "node:assert/strict";
import { test } from "node:test";
import { readGatewayFlags } from "../../../fleet/commands/serve_gateway.ts";
import { readWorldFlags } from "../../../servers/flags/world_flags.ts";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";

const worker = (args: string[], env = {}) => {
  const read = readWorldFlags("svc world serve", args, env);
  assert.ok(read.kind === "serve");
  return read;
};
const JOIN = ["--join", "nats://10.0.0.1:4222,nats://10.0.0.2:4222"];

// @row world-session > Options > `--join`, `--slots`, `--pool`, `--take`, `--name`, `--advertise`, `--blobs`, `--drain-seconds`, `--nats-ca`
test("a worker joins a fleet with defaults of its own, and its key is that of the pool", () => {
  assert.equal(worker([]).fleet, undefined);
  const env = { SVC_NATS_USER: "u", SVC_NATS_PASSWORD: "p", SVC_POOL_KEY: "k", SVC_API_KEY: "not this one" };
  const { fleet, options } = worker([...JOIN, "--advertise", "http://10.0.0.3:1/"], env);
  assert.deepEqual(fleet, {
    broker: { servers: JOIN[1], user: "u", password: "p", ca: undefined },
    slots: 4,
    takes: { sessions: true, rollouts: true },
    pool: "default",
    name: undefined,
    advertise: "http://10.0.0.3:1",
    blobs: undefined,
    grace: 120_000,
  });
  assert.deepEqual([options.apiKey, options.prepare], ["k", true]);
});

test("a fleet is joined by an address without secrets, under a name that can be a part of a subject", () => {
  const bad = [
    ["--join", "http://x:1"],
    ["--join", "nats://"],
    ["--join", "nats://user:secret@x:1"],
    [...JOIN, "--pool", "a.b"],
    [...JOIN, "--pool", "*"],
    [...JOIN, "--name", "Upper"],
    [...JOIN, "--advertise", "ftp://x"],
    [...JOIN, "--slots", "0"],
    [...JOIN, "--host", "0.0.0.0"],
  ];
  for (const args of bad) {
    assert.throws(() => worker(args), (error) => {
      assert.ok(error instanceof UsageError, args.join(" "));
      assert.doesNotMatch(error.message.replace(/"nats:\/\/user.*"/, "secret"), /secret@/);
      return true;
    });
  }
  assert.throws(
    () => worker([...JOIN, "--host", "0.0.0.0"], { SVC_API_KEY: "not the key of the pool" }),
    /SVC_POOL_KEY/,
  );
  assert.throws(() => readGatewayFlags("svc gateway serve", [], {}), UsageError);
  assert.throws(() => readGatewayFlags("svc gateway serve", [...JOIN, "--host", "0.0.0.0"], {}), UsageError);
});
