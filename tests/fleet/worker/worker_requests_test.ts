import assert from "node:assert/strict";
import { test } from "node:test";
import type { FleetAnswer, FleetRequest } from "../../../fleet/worker/fleet_entries.ts";
import type { FleetWorld } from "../../../fleet/worker/fleet_world.ts";
import { WorkerRequests } from "../../../fleet/worker/worker_requests.ts";
import { AccessPolicy } from "../../../lib/http/access_policy.ts";
import { createRouter } from "../../../lib/http/router.ts";
import { idempotent, IdempotentAnswers } from "../../../lib/world/http/idempotency.ts";

const ID = "00000000-0000-4000-8000-00000000000a";

test("a request repeated while the first is running is done once, and gets its answer", async () => {
  let done = 0;
  let begun = (): void => {};
  let end = (): void => {};
  const hasBegun = new Promise<void>((resolve) => begun = resolve);
  const mayEnd = new Promise<void>((resolve) => end = resolve);
  const kept = new IdempotentAnswers(() => 0);
  const path = "/worlds/:world/v1/world/session";
  const routes = idempotent([{
    method: "POST",
    path,
    handle: async ({ request }) => {
      const body = await request.text();
      begun();
      await mayEnd;
      return Response.json({ done: ++done, body });
    },
  }], () => kept);
  const access = new AccessPolicy({});
  const answers = new Map<string, FleetAnswer>();
  const world = {
    log: { isFenced: false },
    left: new AbortController().signal,
    use: { last: 0, streams: 0 },
    journal: {
      answer: (key: string) => answers.get(key),
      unanswered: () => undefined,
      answered: (answer: FleetAnswer) => Promise.resolve(void answers.set(answer.key, answer)),
    },
    run: (_request: FleetRequest, work: () => Promise<Response>) => work(),
  } as unknown as FleetWorld;
  const requests = new WorkerRequests({
    fetch: createRouter({ routes, access, newId: () => "id", asSvcError: (error) => error as never }),
    access,
    find: (id) => id === ID ? world : undefined,
    isSound: () => true,
    remove: () => Promise.resolve(),
  });
  const send = (body = "{}"): Promise<Response> =>
    requests.answer(
      new Request(`http://127.0.0.1/worlds/${ID}/v1/world/session`, {
        method: "POST",
        body,
        headers: { "idempotency-key": "k", host: "127.0.0.1" },
      }),
      "127.0.0.1",
    );
  const first = send();
  await hasBegun;
  const again = [send(), send(), send("[]")];
  end();
  assert.deepEqual(await (await first).json(), { done: 1, body: "{}" });
  const [one, two, other] = await Promise.all(again);
  for (const answer of [one, two]) {
    assert.equal(answer.headers.get("idempotency-replayed"), "true");
    assert.deepEqual(await answer.json(), { done: 1, body: "{}" });
  }
  assert.equal(other.status, 409, "the key is that of another body");
  assert.equal((await send()).headers.get("idempotency-replayed"), "true");
  assert.equal(done, 1);
});
