import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { type Gateway, startGateway } from "../../../fleet/gateway/start_gateway.ts";
import { readTenants } from "../../../fleet/tenants/read_tenants.ts";
import { connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import { listen } from "../../../lib/platform/sockets/listen.ts";
import { type NatsServer, startNats, withoutNats } from "../../support/nats_server.ts";

const options = { skip: withoutNats };
const OPERATOR = "the key of the operator";
const KEYS = { alpha: "the-key-of-alpha-aaaaaaaaaaaaaaaa", beta: "the-key-of-beta-bbbbbbbbbbbbbbbbb" } as const;
type Name = keyof typeof KEYS;
const WORLDS = {
  alpha: "00000000-0000-4000-8000-00000000000a",
  beta: "00000000-0000-4000-8000-00000000000b",
} as const;

/** Bytes of a video that no socket holds whole. */
const LONG = 64 * 2 ** 20;

let folder: string | undefined;
let file: string;
let nats: NatsServer;
let broker: NatsBroker;
let worker: Awaited<ReturnType<typeof listen>>;
const gateways: Gateway[] = [];
const passed: string[] = [];
let logged = "";

const hashOf = (key: string): string => `sha256:${createHash("sha256").update(key).digest("hex")}`;
const tenant = (name: Name, more: Record<string, unknown> = {}) => ({ name, keys: [hashOf(KEYS[name])], ...more });
const spec = '{"prompt":"p","action_seq":["w"]}\n';

let opening: Promise<void> | undefined;

/**
 * What the tests share, made by the first of them: files of tests share a process, whose hooks all run at its start, and a
 * worker that is not seen for twenty seconds is forgotten.
 */
const opened = (): Promise<void> => opening ??= open();

async function open(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "svc-tenants-"));
  file = join(folder, "tenants.json");
  if (withoutNats) return;
  const alpha = tenant("alpha", { worlds: 4, waiting: 2, moves_per_minute: 5, rollouts: 3 });
  await writeFile(file, JSON.stringify({ tenants: [alpha, tenant("beta")] }), { mode: 0o600 });
  nats = await startNats();
  broker = await connectBroker({ servers: nats.url, name: "test" });
  worker = await listen(async (request) => {
    const { pathname } = new URL(request.url);
    passed.push(`${request.method} ${pathname}`);
    await request.body?.cancel();
    if (pathname.endsWith("/events")) {
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode("event: snapshot\n\n")),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    }
    if (pathname.endsWith("/output")) return new Response(new Uint8Array(LONG));
    const status = request.method === "POST" ? Number(request.headers.get("if-range") ?? 202) : 200;
    const replayed = request.headers.get("idempotency-key") === "again";
    return Response.json({}, { status, headers: replayed ? { "idempotency-replayed": "true" } : {} });
  }, { host: "127.0.0.1", port: 0 });
  const at = { epoch: "e", url: worker.url };
  const state = { pool: "default", fingerprint: "f", slots: 4, used: 2, draining: false, version: "1" };
  await broker.workers.create("one", { ...at, ...state });
  const session = { pool: "default", created_at: "2026-01-01T00:00:00.000Z", generation: 1, since: 1 };
  for (const name of ["alpha", "beta"] as const) {
    const owner = { worker: "one", ...at, fence: 1 };
    await broker.sessions.create(WORLDS[name], { ...session, tenant: name, phase: "ready", owner });
  }
  for (let i = 0; i < 2; i++) {
    gateways.push(
      await startGateway({
        broker: { servers: nats.url },
        host: "127.0.0.1",
        port: 0,
        apiKey: OPERATOR,
        tenants: file,
        allowOrigins: [],
        pool: "default",
        maxWorlds: 100,
        lineLength: 100,
        log: (...line) => logged += JSON.stringify(line),
      }),
    );
  }
}

after(async () => {
  for (const gateway of gateways) await gateway.close();
  await worker?.close(100);
  await broker?.close();
  await nats?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

const ask = async (key: string, method: string, path: string, more: RequestInit = {}, at = 0) => {
  const headers = { authorization: `Bearer ${key}`, ...more.headers as Record<string, string> };
  const response = await fetch(gateways[at].url + path, { method, ...more, headers });
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json");
  const body = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, code: body?.error?.code, body, text, headers: response.headers };
};
const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", prefer: "wait=0", ...headers },
});
const submit = (dataset: string, lines: number, at = 0) => {
  const body = Array.from({ length: lines }, () => spec).join("");
  const more = { body, headers: { "content-type": "application/x-ndjson" } };
  return ask(KEYS.alpha, "POST", `/v1/rollouts/${dataset}`, more, at);
};

test("a tenant finds nothing of another one, on any route", options, async () => {
  await opened();
  const at = passed.length;
  const gone = crypto.randomUUID();
  const missing = await ask(KEYS.alpha, "GET", `/v1/worlds/${gone}`);
  for (const id of [WORLDS.beta, WORLDS.beta.toUpperCase()]) {
    for (
      const [method, path, more] of [
        ["GET", `/v1/worlds/${id}`],
        ["DELETE", `/v1/worlds/${id}`],
        ["GET", `/worlds/${id}/v1/world/session`],
        ["HEAD", `/worlds/${id}/v1/world/session`],
        ["GET", `/worlds/${id}/v1/world/events`],
        ["GET", `/worlds/${id}/v1/world/session/media/frame`, { headers: { range: "bytes=0-9" } }],
        ["GET", `/worlds/${WORLDS.alpha}/../${id}/v1/world/session`],
        ["GET", `/worlds/${WORLDS.alpha}/%2e%2e/${id}/v1/world/session`],
        ["POST", `/worlds/${id}/v1/world/session/transitions`, post({})],
        ["DELETE", `/worlds/${id}/v1/world/jobs/${gone}`],
      ] as const
    ) {
      const answer = await ask(KEYS.alpha, method, path, more);
      assert.equal(answer.status, 404, `${method} ${path}`);
      if (method !== "HEAD") assert.deepEqual(answer.body, missing.body, `${method} ${path}`);
    }
  }
  assert.equal(passed.length, at, "the worker received none of it");
  assert.equal((await ask(KEYS.beta, "GET", `/worlds/${WORLDS.beta}/v1/world/session`)).status, 200);
  const listed = (await ask(KEYS.alpha, "GET", "/v1/worlds?limit=10")).body;
  assert.deepEqual([listed.data.map((world: { world_id: string }) => world.world_id), listed.has_more], [
    [WORLDS.alpha],
    false,
  ]);

  const source = { body: "picture", headers: { "content-type": "image/png" } };
  assert.equal((await ask(KEYS.beta, "POST", "/v1/rollouts/walks/sources", source)).status, 201);
  const lines = { body: spec, headers: { "content-type": "application/x-ndjson" } };
  assert.equal((await ask(KEYS.beta, "POST", "/v1/rollouts/walks", lines)).status, 202);
  for (const path of ["walks", "walks/results", "walks/items/line-000001/video", "walks/items/line-000001/frame"]) {
    assert.equal((await ask(KEYS.alpha, "GET", `/v1/rollouts/${path}`)).code, "rollout_not_found", path);
  }
  assert.equal((await ask(KEYS.beta, "GET", "/v1/rollouts/walks")).body.waiting, 1);

  for (
    const [key, path, expected] of [
      [KEYS.alpha, "/metrics", "key_not_allowed"],
      [OPERATOR, "/v1/worlds", "key_not_allowed"],
      [OPERATOR, `/worlds/${WORLDS.beta}/v1/world/session`, "key_not_allowed"],
      [OPERATOR, "/v1/rollouts/walks", "key_not_allowed"],
      [hashOf(KEYS.alpha), "/v1/worlds", "invalid_api_key"],
    ]
  ) assert.equal((await ask(key, "GET", path)).code, expected, path);
  assert.equal((await ask(OPERATOR, "GET", "/metrics")).status, 200);
  assert.equal((await fetch(`${gateways[0].url}/`)).status, 200, "the page needs no key");
});

test("a key of a world is its tenant's own", options, async () => {
  await opened();
  const [a, b] = await Promise.all([
    ask(KEYS.alpha, "POST", "/v1/worlds", post({ name: "a", pool: "none" }, { "idempotency-key": "same" })),
    ask(KEYS.beta, "POST", "/v1/worlds", post({ name: "b", pool: "none" }, { "idempotency-key": "same" }), 1),
  ]);
  // A burst above the quota of two in the line, over both gateways: one of them is taken.
  const burst = await Promise.all(
    Array.from({ length: 8 }, (_, i) => ask(KEYS.alpha, "POST", "/v1/worlds", post({ pool: "none" }), i % 2)),
  );
  assert.deepEqual([a.status, b.status, b.body.name], [202, 202, "b"]);
  assert.notEqual(a.body.world_id, b.body.world_id);
  assert.equal((await ask(KEYS.alpha, "GET", `/v1/worlds/${b.body.world_id}`)).status, 404);
  const taken = burst.filter(({ status }) => status === 202);
  assert.equal(taken.length, 1, burst.map(({ text }) => text).join("\n"));
  for (const { status, code, headers } of burst.filter((each) => each !== taken[0])) {
    assert.deepEqual([status, code], [429, "quota_exceeded"]);
    assert.ok(Number(headers.get("retry-after")) >= 1);
  }
  const quota = (await ask(KEYS.alpha, "GET", "/v1/quota")).body;
  assert.deepEqual([quota.tenant, quota.worlds, quota.waiting], ["alpha", { limit: 4, used: 3 }, {
    limit: 2,
    used: 2,
  }]);
  // What is deleted no longer counts, at either gateway.
  for (const { body } of [a, ...taken]) {
    assert.equal((await ask(KEYS.alpha, "DELETE", `/v1/worlds/${body.world_id}`, {}, 1)).status, 200);
  }
  const again = await ask(KEYS.alpha, "POST", "/v1/worlds", post({ pool: "none" }));
  assert.equal(again.status, 202, again.text);
  await ask(KEYS.alpha, "DELETE", `/v1/worlds/${again.body.world_id}`);
});

test("two gateways share one quota of moves, and what did not move counts nothing", options, async () => {
  await opened();
  const base = `/worlds/${WORLDS.alpha}/v1/world/session`;
  const move = (path: string, body: unknown, headers = {}, at = 0) =>
    ask(KEYS.alpha, "POST", base + path, post(body, headers), at);
  for (
    const [path, body, headers] of [
      ["/transitions", {}, { "if-range": "400" }],
      ["/rollouts", { num_output_frames: 252 }, { "if-range": "409" }],
      ["/transitions", {}, { "idempotency-key": "again" }],
      ["/reset", {}, {}],
    ] as const
  ) await move(path, body, headers);
  assert.equal((await move("/%74ransitions", {})).code, "path_not_found");
  // In the spelling of the TypeScript client, which the worker reads as well.
  const long = { prompt: "a corridor", actionSeq: ["w"], numOutputFrames: 42 };
  assert.equal((await move("/rollouts", long)).status, 202, "counts as three of five");
  const { remaining } = (await ask(KEYS.alpha, "GET", "/v1/quota")).body.moves_per_minute;
  assert.ok(remaining < 4, `${remaining} of five moves are left`);
  const answers = await Promise.all(Array.from({ length: 6 }, (_, i) => move("/transitions", {}, {}, i % 2)));
  const taken = answers.filter(({ status }) => status === 202).length;
  // One move comes back within twelve seconds, and this machine may be slow.
  assert.ok(taken >= 2 && taken < 6, String(taken));
  const refused = answers.find(({ status }) => status === 429)!;
  const wait = Number(refused.headers.get("retry-after"));
  assert.deepEqual([refused.code, wait >= 1 && wait <= 13], ["quota_exceeded", true]);
  assert.equal(
    (await ask(KEYS.beta, "POST", `/worlds/${WORLDS.beta}/v1/world/session/transitions`, post({}))).status,
    202,
  );
});

test("rollouts above the quota are refused, at two gateways together", options, async () => {
  await opened();
  const both = await Promise.all([submit("one", 2), submit("two", 2, 1), submit("three", 2), submit("four", 2, 1)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [202, 429, 429, 429]);
  assert.equal(both.find(({ status }) => status === 429)!.headers.get("retry-after"), "30");
  assert.equal((await submit("five", 1, 1)).status, 202);
  assert.equal((await submit("five", 1)).body.known, 1, "what exists already is not more");
  assert.equal((await submit("six", 1)).code, "quota_exceeded");

  // A dataset that is deleted no longer counts; submitted again, it is queued again.
  assert.equal((await ask(KEYS.beta, "DELETE", "/v1/rollouts/five")).code, "rollout_not_found");
  const signal = AbortSignal.timeout(20_000);
  const next = async (): Promise<string | undefined> => {
    const taken = await broker.batches.tickets.take("default", 10_000, signal);
    await taken?.ack();
    return taken?.ticket.session;
  };
  // One of beta, two of alpha's first submission, and this one.
  const line = [await next(), await next(), await next(), await next()];
  assert.ok(line.includes("alpha.five.line-000001"), String(line));
  assert.deepEqual((await ask(KEYS.alpha, "DELETE", "/v1/rollouts/five")).body, {
    object: "rollout.deletion",
    dataset: "five",
    removed: 1,
    files: 0,
    bytes: 0,
  });
  assert.equal((await ask(KEYS.alpha, "DELETE", "/v1/rollouts/five", {}, 1)).code, "rollout_not_found");
  assert.equal((await submit("five", 1)).body.added, 1);
  assert.equal(await next(), "alpha.five.line-000001");

  // Nor does one that has ended.
  assert.equal((await submit("six", 1)).code, "quota_exceeded");
  const { rollouts } = broker.batches;
  const { value, revision } = (await rollouts.get("alpha.five.line-000001"))!;
  await rollouts.update("alpha.five.line-000001", { ...value, phase: "failed", reason: "it is a test" }, revision);
  assert.equal((await submit("six", 1)).body.added, 1);
  assert.equal(await next(), "alpha.six.line-000001");
});

test("a file of tenants that changes is read again, and a wrong one changes nothing", options, async () => {
  await opened();
  const until = async (done: () => Promise<boolean> | boolean) => {
    while (!await done()) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await writeFile(file, "{");
  await until(() => logged.includes("tenants_not_read"));
  assert.equal((await ask(KEYS.beta, "GET", "/v1/worlds")).status, 200);
  const open = async (name: Name, path: string) => {
    const headers = { authorization: `Bearer ${KEYS[name]}` };
    const response = await fetch(`${gateways[0].url}/worlds/${WORLDS[name]}/v1/world/${path}`, { headers });
    const reader = response.body!.getReader();
    assert.ok((await reader.read()).value!.length > 0);
    return reader;
  };
  const [events, video, others] = [
    await open("beta", "events"),
    await open("beta", "output"),
    await open("alpha", "events"),
  ];
  let isOver = false;
  const stays = others.read().then(() => isOver = true);
  await writeFile(file, JSON.stringify({ tenants: [tenant("alpha")] }));
  await until(async () => (await ask(KEYS.beta, "GET", "/v1/worlds")).status === 401);
  await assert.rejects(events.read(), "a stream of events ends with its key");
  let size = 0;
  await assert.rejects(async () => {
    for (let part = await video.read(); !part.done; part = await video.read()) size += part.value.length;
  }, "a video that its client reads slowly is cut off");
  assert.ok(size < LONG, `${size} bytes`);
  assert.equal(isOver, false, "what others have open continues");
  await others.cancel();
  await stays;
  assert.equal((await ask(KEYS.alpha, "GET", "/v1/quota")).body.worlds.limit, null);
  for (const key of [...Object.values(KEYS), OPERATOR]) assert.ok(!logged.includes(key), "a key is in the log");
});

test("a gateway says when it does not reach its fleet", options, async () => {
  await opened();
  await nats.kill();
  while ((await fetch(`${gateways[0].url}/ready`)).status !== 503) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const answer = await ask(KEYS.alpha, "GET", `/v1/worlds/${crypto.randomUUID()}`);
  assert.deepEqual([answer.status, answer.code, answer.headers.get("retry-after")], [503, "fleet_unavailable", "5"]);
});

test("a file of tenants is refused with the line and the field", async () => {
  await opened();
  const bytes = (text: string) => new TextEncoder().encode(text);
  const valid = tenant("alpha", { worlds: 2 });
  for (
    const [text, expected] of [
      ['{\n"tenants": [}', /line 2, it is not JSON there/],
      ['{\n"tenants": []}', /line 2, tenants: expected an array of 1 to 10000 tenants/],
      ['{"tenants": [{"name": "a"}]}', /line 1, tenants\[0\]: keys is missing/],
      [`{"tenants": [{"name": "a",\n"keys": ["${KEYS.alpha}"]}]}`, /line 2, tenants\[0\]\.keys\[0\]: expected sha256:/],
      [
        JSON.stringify({ tenants: [valid, valid] }, null, 1),
        /line 11, tenants\[1\]\.name: another tenant has this name/,
      ],
      [
        JSON.stringify({ tenants: [valid, { ...valid, name: "b" }] }),
        /tenants\[1\]\.keys\[0\]: this key is in the file/,
      ],
      [JSON.stringify({ tenants: [{ ...valid, worlds: 0 }] }), /tenants\[0\]\.worlds: expected a whole number from 1/],
      [JSON.stringify({ tenants: [{ ...valid, name: "A b" }] }), /tenants\[0\]\.name: expected 1 to 63/],
      [JSON.stringify({ tenants: [{ ...valid, [KEYS.beta]: 1 }] }), /tenants\[0\]: it has a field that there is not/],
      ["3", /line 1, the file: expected an object with tenants/],
      [`{"tenants": ${KEYS.beta}`, /line 1, it is not JSON there/],
    ] as const
  ) {
    assert.throws(() => readTenants(bytes(text), "t.json"), (error: Error) => {
      assert.match(error.message, expected);
      assert.ok(![KEYS.alpha, KEYS.beta].some((key) => error.message.includes(key)), error.message);
      return true;
    });
  }
  assert.deepEqual(readTenants(bytes(JSON.stringify({ tenants: [valid] })), "t.json")[0].quota, { worlds: 2 });
  const start = () =>
    startGateway({
      broker: { servers: "nats://127.0.0.1:1" },
      host: "127.0.0.1",
      port: 0,
      allowOrigins: [],
      pool: "default",
      maxWorlds: 1,
      lineLength: 1,
      tenants: file,
      log: () => {},
    });
  await writeFile(file, JSON.stringify({ tenants: [valid] }));
  if (process.platform !== "win32") {
    await chmod(file, 0o644);
    await assert.rejects(start(), /its mode is 0644, expected 0640 or less/);
  }
});
