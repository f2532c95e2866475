import assert from "node:assert/strict";
import process from "node:process";
import { after, before, test } from "node:test";
import { type ApiProcess, openApiProcess } from "../support/api_process.ts";

const CLIENTS = 1000;
/** Requests that may wait; the server refuses more. */
const MAX_WAITING = 1024;

let server: ApiProcess;

before(async () => {
  server = await openApiProcess({ models: ["tiny-chat"], args: ["--model=tiny-chat"] });
});

after(() => server.close());

function chat(content: string, fields: object = {}): object {
  return { model: "", messages: [{ role: "user", content }], ...fields };
}

/** Sends a chat; the client disconnects when the controller aborts. */
function send(body: object): { readonly go: AbortController; readonly response: Promise<Response> } {
  const go = new AbortController();
  const response = server.post("/v1/chat/completions", body, go.signal);
  response.catch(() => {});
  return { go, response };
}

/** A chat that has the only slot until its client disconnects. */
async function occupy(): Promise<AbortController> {
  const { go, response } = send(chat("go on forever", { stream: true, max_completion_tokens: 4000 }));
  await (await response).body!.getReader().read();
  return go;
}

interface Admission {
  readonly activeRequests: number;
  readonly queuedRequests: number;
  readonly totalCompletedRequests: number;
  readonly totalCancelledRequests: number;
}

/** Looks at admission until it is as wanted. */
async function admission(wanted: (now: Admission) => boolean): Promise<Admission> {
  for (;;) {
    const { admission: now } = await server.get("/runtime/status") as { admission: Admission };
    if (wanted(now)) return now;
  }
}

test("waiting requests are answered in the order in which they came", async () => {
  const first = await occupy();
  const answers: Promise<string>[] = [];
  for (let i = 0; i < 12; i++) {
    const { response } = send(chat("hi", { max_completion_tokens: 1 }));
    answers.push(response.then(async (answer) => {
      assert.equal(answer.status, 200);
      await answer.body?.cancel();
      return answer.headers.get("x-request-id")!;
    }));
    await admission(({ queuedRequests }) => queuedRequests === i + 1);
  }
  first.abort();
  const ids = await Promise.all(answers);
  // The server's own order: answers on many connections may overtake each other on their way.
  const logged = () => [...server.stderr().matchAll(/request_id=(\S+)/g)].map(([, id]) => id!);
  while (!ids.every((id) => logged().includes(id))) {
    await new Promise((resolve) => server.child.stderr!.once("data", resolve));
  }
  assert.deepEqual(logged().filter((id) => ids.includes(id)), ids);
});

// @row model-api > Engine behavior > 1: queued clients that disconnect leave the queue
test("a thousand clients that disconnect leave no slot, no process and no memory behind", async () => {
  const [, engine] = /model_loaded .*process=(\d+)/.exec(server.stderr()) ?? [];
  const before = await admission(({ activeRequests }) => activeRequests === 0);
  await settle(crowd);
  const { totalCancelledRequests: gone } = await admission(({ activeRequests, queuedRequests }) => {
    return activeRequests === 0 && queuedRequests === 0;
  });
  assert.ok(gone > before.totalCancelledRequests); // the others went before they were in the line
  process.kill(Number(engine), 0); // the same engine as before
  assert.equal([...server.stderr().matchAll(/model_loaded/g)].length, 1);
  assert.equal((await server.post("/v1/chat/completions", chat("hi"))).status, 200);
});

/** Repeats work until it takes next to no more memory; a leak would take as much each time. */
async function settle(work: () => Promise<void>): Promise<void> {
  const held: number[] = [];
  do {
    assert.ok(held.length < 8, `bytes that are held after each time: ${held.join(", ")}`);
    await work();
    held.push((await server.get("/runtime/status")).memory.currentBytes);
  } while (held.length < 2 || held.at(-1)! - Math.max(...held.slice(0, -1)) > 16 * 2 ** 20);
}

/** Clients that disconnect at once, while they wait, while they stream. */
async function crowd(): Promise<void> {
  const clients: Promise<unknown>[] = [];
  for (let i = 0; i < CLIENTS; i++) {
    const { go, response } = send(chat("go on forever", { stream: i % 2 === 0 }));
    const leave = new Promise<void>((resolve) => setTimeout(resolve, i % 100)).then(() => go.abort());
    clients.push(leave, response.then((answer) => answer.body?.cancel()).catch(() => {}));
    if (i % 100 === 99) await Promise.all(clients);
  }
}

test("a full queue refuses the next request, and is empty when its clients have disconnected", async () => {
  const before = await admission(({ activeRequests }) => activeRequests === 0);
  // More than can wait: a few may be answered meanwhile, all of those that are too many cannot.
  const clients = Array.from({ length: MAX_WAITING + 64 }, () => send(chat("go on forever")));
  const refused = await Promise.any(clients.map(async ({ response }) => {
    const answer = await response;
    assert.equal(answer.status, 429);
    return answer;
  }));
  assert.equal((await refused.json()).error.code, "queue_full");
  for (const { go } of clients) go.abort();
  const after = await admission(({ activeRequests, queuedRequests }) => activeRequests + queuedRequests === 0);
  assert.ok(after.totalCancelledRequests > before.totalCancelledRequests);
  assert.equal((await server.post("/v1/chat/completions", chat("hi"))).status, 200);
});
