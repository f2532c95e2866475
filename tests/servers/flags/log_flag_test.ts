import assert from "node:assert/strict";
import { test } from "node:test";
import { readApiFlags } from "../../../servers/flags/api_flags.ts";
import { readGatewayFlags } from "../../../fleet/commands/serve_gateway.ts";
import { readWorldFlags } from "../../../servers/flags/world_flags.ts";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";

// @row world-session > Options > `--log`
// @row model-api > Options > `--log`, text by default
test("every server logs for people, and as JSON on request", () => {
  const join = ["--join", "nats://127.0.0.1:4222"];
  const world = (...args: string[]) => readWorldFlags("svc world serve", args, {});
  const gateway = (...args: string[]) => readGatewayFlags("svc gateway serve", [...join, ...args], {});
  const api = (...args: string[]) => readApiFlags("svc api serve", args, {});
  for (const read of [world, gateway]) {
    const [text, json] = [read(), read("--log", "json")];
    assert.ok(text.kind === "serve" && json.kind === "serve");
    assert.deepEqual([text.options.log, typeof json.options.log], [undefined, "function"]);
  }
  for (const form of ["text", "json"]) {
    const asked = api("--log", form);
    assert.ok(asked.kind === "serve");
    assert.equal(asked.log, form);
  }
  for (const read of [world, gateway, api]) assert.throws(() => read("--log", "xml"), UsageError);
});
