import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_EVENT_STREAMS } from "../../../lib/world/http/event_routes.ts";
import { abortableWait } from "../../../lib/world/protocol/abortable_wait.ts";
import { MAX_NOTICES } from "../../../lib/world/session/session_events.ts";
import { text } from "../../support/fake_media.ts";
import { EventReader } from "../../support/event_reader.ts";
import {
  deferred,
  errorOf,
  type HarnessOptions,
  type WorldHarness,
  worldHarness,
} from "../../support/world_harness.ts";
import { toWire } from "../../../lib/json/wire_form.ts";

const AT = "/v1/world/events";
const SOURCE = text("image 64 32 7");

async function withApp(work: (h: WorldHarness) => Promise<void>, options: HarnessOptions = {}): Promise<void> {
  const harness = await worldHarness(options);
  try {
    await work(harness);
  } finally {
    harness.stop();
    await harness.close();
  }
}

async function open(h: WorldHarness, lastEventId?: string): Promise<EventReader> {
  const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  return new EventReader(await h.call("GET", AT, { headers }));
}

// @row world-session > Endpoints > `GET /v1/world/events`
// @row world-session > Events > `snapshot`
test("GET events begins with a snapshot of the session", () =>
  withApp(async (h) => {
    const response = await h.call("GET", AT);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("x-accel-buffering"), "no");
    const first = await new EventReader(response).next();
    assert.deepEqual(first, {
      event: "snapshot",
      id: `${h.session.events.epoch}.${h.session.events.last}`,
      data: JSON.parse(JSON.stringify(toWire(h.session.snapshot()))),
    });
  }));

// @row world-session > Events > `job`, `chunk`
test("GET events reports a walk: its job, each chunk when it can be fetched, and the session", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const reader = await open(h);
    await reader.next();
    const job = await h.rollout();
    const chunks: number[] = [];
    const events = await reader.until(({ event, data }) => {
      if (event === "chunk") {
        assert.equal(data.job_id, job.jobId);
        chunks.push(data.block_index);
      }
      return event === "snapshot" && data.phase === "ready" && data.current_state_id !== undefined && chunks.length > 1;
    });
    assert.deepEqual(chunks, [0, 1]);
    const jobs = events.flatMap(({ event, data }) => event === "job" ? [data] : []);
    assert.equal(jobs.at(-1)?.status, "completed");
    assert.deepEqual(jobs.at(-1), JSON.parse(JSON.stringify(toWire(h.session.job(job.jobId).record()))));
    const numbers = events.map(({ id }) => Number(id.split(".")[1]));
    assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));
  }));

// @row world-session > Events > `id` and `Last-Event-ID`
test("GET events continues after Last-Event-ID with the missed events", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const reader = await open(h);
    const first = await reader.next();
    await reader.leave();
    const job = await h.walk();
    const missed = await (await open(h, first?.id)).until(({ event, data }) => {
      return event === "job" && data.status === "completed";
    });
    assert.deepEqual(missed.filter(({ event }) => event === "chunk").length, job.chunks.length);
    const last = await open(h, `${h.session.events.epoch}.${h.session.events.last - 1}`);
    assert.equal((await last.next())?.id, `${h.session.events.epoch}.${h.session.events.last}`);
  }));

// @row world-session > Events > `id` and `Last-Event-ID`
test("GET events starts over when Last-Event-ID is unknown or too old", () =>
  withApp(async (h) => {
    const { events } = h.session;
    for (let i = 0; i <= MAX_NOTICES; i++) events.notify({ event: "snapshot" });
    const unknown = ["", "7", "x", `${events.epoch}.`, `${events.epoch}.-1`, `other.${events.last}`];
    for (const id of [...unknown, `${events.epoch}.${events.last + 1}`, `${events.epoch}.0`]) {
      const reader = await open(h, id);
      assert.equal((await reader.next())?.id, `${events.epoch}.${events.last}`, id);
      events.notify({ event: "snapshot" });
      assert.equal((await reader.next())?.id, `${events.epoch}.${events.last}`, id);
      await reader.leave();
    }
  }));

// @row world-session > Events > Slow clients
test("GET events keeps no queue for a slow client: of many steps of a job it gets the last", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const reader = await open(h);
    await reader.next();
    const job = await h.walk();
    const events = await reader.until(({ event, data }) => event === "snapshot" && data.phase === "ready");
    assert.ok(h.session.events.last > 10);
    assert.deepEqual(events.map(({ event }) => event).sort(), ["chunk", "chunk", "job", "snapshot"]);
    assert.deepEqual(
      events.find(({ event }) => event === "job")?.data,
      JSON.parse(JSON.stringify(toWire(h.session.job(job.jobId).record()))),
    );
  }));

test("GET events leaves away the chunks of a job that was cancelled", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const reader = await open(h);
    await reader.next();
    const second = deferred();
    let blocks = 0;
    h.model.onGenerate = () => {
      if (++blocks < 2) return;
      h.model.gate = new Promise(() => {});
      second.resolve();
    };
    const job = await h.rollout();
    await second.promise;
    h.session.cancel(job.jobId);
    await h.ended(job);
    const events = await reader.until(({ event, data }) => event === "job" && data.status === "cancelled");
    assert.deepEqual(events.filter(({ event }) => event === "chunk"), []);
  }));

test("GET events sends a comment every 15 s while nothing happens", async () => {
  const waits: { milliseconds: number; pass: () => void }[] = [];
  const begun = [deferred(), deferred()];
  const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      begun[waits.push({ milliseconds, pass: resolve }) - 1]?.resolve();
    });
  await withApp(async (h) => {
    const response = await h.call("GET", AT);
    const reader = response.body!.getReader();
    await reader.read();
    for (const [i, { promise }] of begun.entries()) {
      const next = reader.read();
      await promise;
      assert.equal(waits[i].milliseconds, 15_000);
      waits[i].pass();
      assert.equal(new TextDecoder().decode((await next).value), ": keepalive\n\n");
    }
    await reader.cancel();
  }, { wait });
});

test("GET events ends when the server stops, after what has happened until then", () =>
  withApp(async (h) => {
    await h.session.setSource(SOURCE);
    const reader = await open(h);
    await reader.next();
    const waiting = reader.next();
    h.stop();
    const last = await waiting; // what closing has changed
    assert.ok(last?.event === "snapshot" && last.data.phase === "cold");
    assert.equal(await reader.next(), undefined);
    const late = await open(h);
    assert.equal((await late.next())?.event, "snapshot");
    assert.equal(await late.next(), undefined);
  }));

// @row world-session > Errors > 429 with `Retry-After`
test(`GET events refuses more than ${MAX_EVENT_STREAMS} streams, until one has ended`, () =>
  withApp(async (h) => {
    for (let i = 0; i < 3; i++) assert.equal((await h.call("HEAD", AT)).status, 200);
    const readers: EventReader[] = [];
    while (readers.length < MAX_EVENT_STREAMS) readers.push(await open(h));
    const refused = await h.call("GET", AT);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("retry-after"), "15");
    assert.deepEqual(await errorOf(refused), {
      message: "Cannot open an event stream: 64 are open, close one or read the session and its jobs",
      type: "rate_limit_error",
      code: "too_many_event_streams",
    });
    await readers[0].next();
    await readers[0].leave();
    const another = await open(h);
    assert.equal((await another.next())?.event, "snapshot");
    h.stop();
    for (const reader of [...readers.slice(1), another]) {
      while (await reader.next() !== undefined);
    }
  }));

test("GET events requires the token before it takes a slot", () =>
  withApp(async (h) => {
    for (let i = 0; i <= MAX_EVENT_STREAMS; i++) assert.equal((await h.call("GET", AT)).status, 401);
    assert.equal((await h.call("GET", AT, { headers: { authorization: "Bearer key" } })).status, 200);
  }, { apiKey: "key" }));

test("GET events holds no listener once the client has disconnected", async () => {
  const pauses = new Set<AbortSignal>();
  const wait = (milliseconds: number, signal: AbortSignal): Promise<void> => {
    pauses.add(signal);
    return abortableWait(milliseconds, signal);
  };
  await withApp(async (h) => {
    let listeners = 0;
    const { subscribe } = h.session.events;
    h.session.events.subscribe = (listener) => {
      const end = subscribe.call(h.session.events, listener);
      listeners++;
      return () => {
        listeners--;
        end();
      };
    };
    const response = await h.call("GET", AT);
    const reader = response.body!.getReader();
    await reader.read();
    void reader.read();
    assert.equal(listeners, 1);
    await reader.cancel();
    await new Promise((resolve) => setImmediate(resolve)); // all that follows from it
    assert.equal(listeners, 0);
    assert.ok([...pauses].every((signal) => signal.aborted));
  }, { wait });
});
