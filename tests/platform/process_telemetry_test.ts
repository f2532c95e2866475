import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { processTelemetry } from "../../lib/platform/processes/process_telemetry.ts";

// @row model-api > Runtime status > `process`
test("processTelemetry() measures processor time between two looks", () => {
  let now = Date.UTC(2026, 0, 1, 0, 0, 10);
  let cpu = 500_000;
  const look = processTelemetry({
    pid: 7,
    now: () => now,
    uptime: () => (now - Date.UTC(2026, 0, 1)) / 1000,
    cpu: () => ({ user: cpu - 1000, system: 1000 }),
  });
  const startedAt = "2026-01-01T00:00:00.000Z";
  assert.deepEqual(look(), { processID: 7, startedAt, uptimeSeconds: 10 });
  now += 2000;
  cpu += 3_000_000;
  assert.deepEqual(look(), { processID: 7, startedAt, uptimeSeconds: 12, cpuPercent: 150 });
  assert.equal(look().cpuPercent, undefined); // no time has passed
});

test("processTelemetry() reports this process", () => {
  const { processID, uptimeSeconds, startedAt } = processTelemetry()();
  assert.equal(processID, process.pid);
  assert.ok(uptimeSeconds > 0 && Date.parse(startedAt) <= Date.now());
});
