import assert from "node:assert/strict";
import { test } from "node:test";
import * as v from "valibot";
import { jobProgressSchema } from "../../../lib/world/protocol/job_schemas.ts";
import { toWire } from "../../../lib/json/wire_form.ts";
import { Job, MAX_PROGRESS_EVENTS } from "../../../lib/world/session/moves/job.ts";
import { JobRegistry, MAX_ENDED_JOBS } from "../../../lib/world/session/moves/job_registry.ts";

const clock = () => new Date(0);
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

function ended(n: number): Job {
  const job = new Job({ id: id(n), kind: "rollout", clock });
  job.endCancelled();
  return job;
}

test("Job.record() leaves out what is not there yet", () => {
  const job = new Job({ id: id(1), kind: "rollout", clock });
  assert.deepEqual(job.record(), {
    jobId: id(1),
    kind: "rollout",
    status: "queued",
    createdAt: "1970-01-01T00:00:00.000Z",
    progressEvents: [],
    chunks: [],
  });
});

// @row world-session > Job > The last 256 progress events
// @row world-session > Limits > 256 progress events, 256 ended jobs
test("Job keeps the last progress events", () => {
  const job = new Job({ id: id(1), kind: "rollout", clock });
  for (let i = 0; i < MAX_PROGRESS_EVENTS + 10; i++) job.progress("denoising", i, 1000, i / 1000);
  const { progressEvents: events, progress } = job.record();
  assert.equal(events.length, MAX_PROGRESS_EVENTS);
  assert.equal(events[0].stepIndex, 10);
  assert.equal(progress?.stepIndex, MAX_PROGRESS_EVENTS + 9);
});

test("Job.loading() shows bytes and the time that is left, and keeps the fraction", () => {
  const job = new Job({ id: id(1), kind: "rollout", clock });
  job.loading({ done: 0, total: 3_000_000_000 });
  job.loading({ done: 20_000_000, total: 3_000_000_000, secondsLeft: 60 }); // less than a hundredth
  job.progress("denoising", 3, 6, 0.5);
  job.loading({ done: 2_000_000_000, total: 3_000_000_000, secondsLeft: 7.2 });
  const step = { stage: "preparing", totalSteps: 100, updatedAt: "1970-01-01T00:00:00.000Z" };
  const { progressEvents: events } = job.record();
  assert.deepEqual([events[0], events[2], events.length], [
    { ...step, stepIndex: 0, fraction: 0, bytesRead: 0, bytesTotal: 3e9 },
    { ...step, stepIndex: 66, fraction: 0.5, bytesRead: 2e9, bytesTotal: 3e9, secondsLeft: 8 },
    3,
  ]);
  for (const event of events) v.parse(jobProgressSchema, toWire(event));
});

test("Job.cancel() before the start keeps the job cancelling", () => {
  const job = new Job({ id: id(1), kind: "rollout", clock });
  job.cancel();
  job.start();
  assert.equal(job.record().status, "cancelling");
  assert.equal(job.signal.aborted, true);
});

test("Job.cancel() changes nothing when the job has ended", () => {
  const job = new Job({ id: id(1), kind: "rollout", clock });
  job.start();
  job.fail({ message: "m", type: "server_error", code: "c" });
  job.cancel();
  assert.equal(job.record().status, "failed");
  assert.equal(job.signal.aborted, false);
});

test("JobRegistry keeps the last ended jobs and distinguishes expired and unknown ones", () => {
  const registry = new JobRegistry();
  const add = (n: number) => {
    registry.add(ended(n));
    registry.dropOldest(new Set());
  };
  for (let n = 0; n < MAX_ENDED_JOBS; n++) add(n);
  assert.equal(registry.get(id(0)).id, id(0));
  const running = new Job({ id: id(5000), kind: "rollout", clock });
  registry.add(running);
  registry.dropOldest(new Set());
  assert.equal(registry.get(id(0)).id, id(0), "a running job does not count as ended");
  running.fail({ message: "m", type: "server_error", code: "c" });
  registry.dropOldest(new Set());
  assert.throws(() => registry.get(id(0)), { code: "job_expired" }, "the end of the 257th job expires the first");
  assert.equal(registry.get(id(1)).id, id(1));
  add(MAX_ENDED_JOBS);
  assert.throws(() => registry.get(id(1)), { code: "job_expired" });
  assert.throws(() => registry.get(id(9999)), { code: "job_not_found" });
});

test("JobRegistry keeps the job whose frame is shown, however old it is, besides the last ended ones", () => {
  const registry = new JobRegistry();
  for (let n = 0; n < MAX_ENDED_JOBS + 3; n++) registry.add(ended(n));
  registry.dropOldest(new Set([id(0)]));
  assert.equal(registry.get(id(0)).id, id(0));
  for (const n of [1, 2]) assert.throws(() => registry.get(id(n)), { code: "job_expired" });
  assert.equal(registry.get(id(3)).id, id(3), "one of the last 256");
});

test("JobRegistry.get() takes ids in either case", () => {
  const registry = new JobRegistry();
  registry.add(new Job({ id: "abcdef00-0000-4000-8000-000000000000", kind: "rollout", clock }));
  assert.ok(registry.get("ABCDEF00-0000-4000-8000-000000000000"));
});

test("Job.progress() reports a step once", () => {
  const job = new Job({ id: "id", kind: "rollout", clock });
  for (const step of [0, 0, 1, 1, 1]) job.progress("preparing", step, 20, 0);
  job.progress("denoising", 1, 6, 0);
  assert.deepEqual(
    job.record().progressEvents.map(({ stage, stepIndex }) => [stage, stepIndex]),
    [["preparing", 0], ["preparing", 1], ["denoising", 1]],
  );
});
