import assert from "node:assert/strict";
import { test } from "node:test";
import { eventRoutes } from "../../lib/world/http/event_routes.ts";
import { abortableWait } from "../../lib/world/protocol/abortable_wait.ts";
import { AccessPolicy } from "../../lib/http/access_policy.ts";
import type { WorldApiError } from "../../lib/world/client/world_api_error.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { createRouter } from "../../lib/http/router.ts";
import { listen, type Listening } from "../../lib/platform/sockets/listen.ts";
import type { JobRecord } from "../../lib/world/protocol/job_record.ts";
import type { WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { SessionEvents } from "../../lib/world/session/session_events.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { deferred } from "../support/world_harness.ts";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";

/** Counts listeners, and reports when one leaves. */
class CountedEvents extends SessionEvents {
  listeners = 0;
  left: () => void = () => {};

  override subscribe(listener: () => void): () => void {
    const end = super.subscribe(listener);
    this.listeners++;
    return () => {
      end();
      this.listeners--;
      this.left();
    };
  }
}

async function serveEvents(
  events: SessionEvents,
  port = 0,
  ended: AbortSignal = new AbortController().signal,
): Promise<Listening> {
  const job = { chunks: [], record: () => ({ job_id: "j" }) as unknown as JobRecord };
  const subject = { events, snapshot: () => ({ phase: "cold" }) as unknown as WorldSnapshot, job: () => job };
  const handler = createRouter({
    routes: eventRoutes([""], () => ({ session: subject, ended }), { wait: abortableWait }),
    access: new AccessPolicy({}),
    newId: () => "id",
    asSvcError: (error) => {
      throw error;
    },
  });
  return await listen(handler, { host: "127.0.0.1", port });
}

test("events arrive one by one over a real connection, and leaving frees the stream", async () => {
  const events = new CountedEvents("e");
  const server = await serveEvents(events);
  const client = new WorldClient(server.url);
  const stream = client.events();
  assert.equal((await stream.next()).value?.id, "e.0");
  for (const number of [1, 2, 3]) {
    const next = stream.next();
    events.notify({ event: "job", jobId: "j" });
    assert.equal((await next).value?.id, `e.${number}`);
  }
  assert.equal(events.listeners, 1);
  const left = deferred();
  events.left = left.resolve;
  await stream.return();
  await left.promise;
  assert.equal(events.listeners, 0);
  await server.close(1000);
});

// @row world-session > Events > `id` and `Last-Event-ID`
test("WorldClient.events() reconnects after the server was away and gets the missed events", async () => {
  const events = new SessionEvents("e");
  const stop = new AbortController();
  let server = await serveEvents(events, 0, stop.signal);
  const port = Number(new URL(server.url).port);
  const lost = deferred<WorldApiError>();
  const stream = new WorldClient(server.url, { wait: (_, signal) => abortableWait(10, signal) })
    .events({ onLost: lost.resolve });
  assert.equal((await stream.next()).value?.id, "e.0");
  const next = stream.next();
  stop.abort();
  await server.close(1000);
  assert.equal((await lost.promise).code, "unreachable");
  events.notify({ event: "job", jobId: "j" });
  events.notify({ event: "job", jobId: "k" });
  server = await serveEvents(events, port);
  assert.equal((await next).value?.id, "e.1");
  assert.equal((await stream.next()).value?.id, "e.2");
  await stream.return();
  await server.close(1000);
});

test("startWorldServer() ends open event streams when it is closed, and logs each request", () =>
  withFolder(async (stateDirectory) => {
    const lines: string[] = [];
    const server = await startWorldServer({
      stateDirectory,
      port: 0,
      log: (_, event, detail) =>
        void lines.push(`${event} ${detail?.["method"]} ${detail?.["path"]} ${detail?.["status"]}`),
    });
    const response = await fetch(`${server.url}/v1/world/events?secret=1`);
    const begin = performance.now();
    const text = response.text();
    await server.close();
    assert.match(await text, /^id: .*\nevent: snapshot\ndata: \{"object":"world.session"/);
    assert.ok(performance.now() - begin < 4000, "closing has waited for the stream");
    assert.deepEqual(lines, ["request GET /v1/world/events 200"]);
  }));

test("startWorldServer() offers the picture of the embedded world", () =>
  withFolder(async (stateDirectory) => {
    const server = await startWorldServer({ stateDirectory, port: 0, log: () => {} });
    const client = new WorldClient(server.url);
    assert.match((await client.start()).prompt, /\w/);
    assert.equal(new TextDecoder().decode((await client.startImage()).slice(1, 4)), "PNG");
    await server.close();
  }));
