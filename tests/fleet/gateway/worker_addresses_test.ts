import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startGateway } from "../../../fleet/gateway/start_gateway.ts";
import { WorkerAddresses } from "../../../fleet/gateway/worker_addresses.ts";
import { readGatewayFlags } from "../../../fleet/commands/serve_gateway.ts";
import { connectBroker, type NatsBroker } from "../../../fleet/nats/connect_broker.ts";
import { listen } from "../../../lib/platform/sockets/listen.ts";
import { UsageError } from "../../../lib/platform/terminal/flags.ts";
import { type NatsServer, startNats, withoutNats } from "../../support/nats_server.ts";

const options = { skip: withoutNats };
const OWN = 8790;
const addresses = (rules: string[] = [], isLocal = false) =>
  new WorkerAddresses({ rules, isLocal, ownPort: () => OWN });
const isTaken = (of: WorkerAddresses, pool: string, url: string) => of.refusal(pool, url) === undefined;

test("without rules a worker may be anywhere but where none is", () => {
  const any = addresses();
  for (const host of ["10.0.0.7:8791", "worker-1:8791", "[fd00::7]:8791", "192.0.2.1", "[2001:db8::1]:1/prefix"]) {
    assert.ok(isTaken(any, "a", `http://${host}`), host);
    assert.ok(isTaken(any, "a", `https://${host}`), host);
  }
  const never = [
    ...["169.254.169.254", "169.254.1.1:8791", "0.0.0.0:8791", "224.0.0.1", "255.255.255.255", "100.100.100.200"],
    ...[
      "168.63.129.16",
      "2852039166",
      "0xa9fea9fe",
      "0251.0376.0251.0376",
      "[fe80::1]:8791",
      "[fd00:ec2::254]",
      "[::]",
    ],
    ...["[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]", "[::169.254.169.254]", "[ff02::1]"],
    ...["127.0.0.1:9000", "127.1:9000", "[::1]:9000", "[::ffff:127.0.0.1]:9000", "2130706433:9000"],
  ];
  for (const host of never) assert.ok(!isTaken(any, "a", `http://${host}`), host);
  const bad = [
    "ftp://10.0.0.7",
    "file:///etc/passwd",
    "gopher://10.0.0.7",
    "http://u:p@10.0.0.7",
    "http://10.0.0.7?x=",
  ];
  for (const url of [...bad, "http://10.0.0.7#x", "javascript:1", "data:,x", "nothing"]) {
    assert.ok(!isTaken(any, "a", url), url);
  }
});

test("beside the broker workers may be on this machine, but never at the gateway's own port", () => {
  const local = addresses([], true);
  for (const host of ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"]) {
    assert.ok(isTaken(local, "a", `http://${host}:9000`), host);
    assert.ok(!isTaken(local, "a", `http://${host}:${OWN}`), host);
  }
});

test("with rules the workers of a pool are where the operator has said, and those of no other pool", () => {
  const some = addresses(["a=*.a.svc:8791", "a=10.1.0.0/16:8791", "b=one", "b=[fd00:b::/32]", "c=127.0.0.1:9001"]);
  const taken = ["http://w.a.svc:8791", "http://W.A.SVC.:8791", "http://10.1.2.3:8791", "http://0xa.1.2.3:8791"];
  for (const url of taken) {
    assert.ok(isTaken(some, "a", url), url);
    for (const pool of ["b", "c", "", "d", "A"]) assert.ok(!isTaken(some, pool, url), `${pool} ${url}`);
  }
  for (const url of ["http://one", "https://one:4", "http://[fd00:b::1]:3"]) assert.ok(isTaken(some, "b", url), url);
  const not = ["http://w.a.svc", "http://a.svc:8791", "http://w.a.svc.evil:8791", "http://xa.svc:8791"];
  for (const url of [...not, "http://10.2.0.1:8791", "http://one", "http://127.0.0.1:8791"]) {
    assert.ok(!isTaken(some, "a", url), url);
  }
  assert.ok(isTaken(some, "c", "http://127.0.0.1:9001"), "a rule may name this machine");
  assert.ok(!isTaken(addresses([`c=127.0.0.1:${OWN}`]), "c", `http://127.0.0.1:${OWN}`), "not the gateway itself");
  assert.ok(!isTaken(addresses(["c=0.0.0.0/0"]), "c", "http://127.0.0.1:9001"), "a wide range names no machine");
  assert.ok(!isTaken(addresses(["c=0.0.0.0/0"]), "c", "http://169.254.169.254"), "no rule opens these");
});

test("a name may stand for no address where no worker is", () => {
  const some = addresses(["a=worker"]);
  assert.deepEqual(
    ["10.0.0.1", "169.254.169.254", "127.0.0.1", "::1", "fe80::1%eth0", "::ffff:127.0.0.1", "x"].map((address) =>
      some.mayBe("a", "http://worker", address)
    ),
    [true, false, false, false, false, false, false],
  );
});

test("an invalid rule is refused at the start", () => {
  const bad = [
    "a",
    "a=",
    "=x",
    "a=10.0.0.0/33",
    "a=x:0",
    "a=x:70000",
    "a=http://x",
    "a=*",
    "a=1.2.3",
    "a=[x]",
    "a=x/8",
  ];
  for (const rule of bad) {
    const args = ["--join", "nats://127.0.0.1:1", "--worker-hosts", rule];
    assert.throws(() => readGatewayFlags("svc gateway serve", args, {}), UsageError, rule);
  }
});

const WORLDS = ["a", "b", "c", "d", "e"].map((end) => `00000000-0000-4000-8000-00000000000${end}`);

let nats: NatsServer;
let broker: NatsBroker;

before(async () => {
  if (withoutNats) return;
  nats = await startNats();
  broker = await connectBroker({ servers: nats.url, name: "test" });
});
after(async () => {
  await broker?.close();
  await nats?.stop();
});

test("forged records lead a gateway nowhere", options, async () => {
  const asked: (string | null)[] = [];
  const answer = (request: Request): Promise<Response> => {
    asked.push(request.headers.get("authorization"));
    return Promise.resolve(Response.json({ asked: true }));
  };
  const secret = await listen(answer, { host: "127.0.0.1", port: 0 });
  const worker = await listen(answer, { host: "127.0.0.1", port: 0 });
  const { port } = new URL(secret.url);
  const logged: string[] = [];
  const urls = [secret.url, `http://localhost:${port}`, "http://169.254.169.254", "file:///etc/passwd", worker.url];
  for (const [i, url] of urls.entries()) {
    const owner = { worker: "one", epoch: "e", fence: 1, url };
    const common = { pool: "default", tenant: "default", created_at: "2026-01-01T00:00:00.000Z", since: 1 };
    await broker.sessions.create(WORLDS[i], { ...common, generation: 1, phase: "ready", owner });
  }
  const record = { pool: "default", fingerprint: "f", slots: 4, used: 1, draining: false, version: "1" };
  await broker.workers.create("one", { ...record, epoch: "e", url: worker.url });
  const gateway = await startGateway({
    broker: { servers: nats.url },
    host: "127.0.0.1",
    port: 0,
    allowOrigins: [],
    poolKey: "the key of the pool",
    pool: "default",
    maxWorlds: 10,
    lineLength: 10,
    workerHosts: [`default=127.0.0.1:${new URL(worker.url).port}`, `other=127.0.0.1:${port}`, `other=localhost`],
    log: (_level, event, detail) => void logged.push(`${event} ${detail?.["url"]}`),
  });
  try {
    const post = (world: string): Promise<Response> =>
      fetch(`${gateway.url}/worlds/${world}/v1/world/session`, { method: "POST", body: "{}" });
    for (const [i, url] of urls.slice(0, 4).entries()) {
      const refused = await post(WORLDS[i]);
      assert.deepEqual([refused.status, (await refused.json()).error.code], [503, "fleet_unavailable"], url);
      assert.ok(logged.includes(`worker_address_refused ${url}`), url);
    }
    assert.deepEqual(asked, []);
    assert.equal((await post(WORLDS[4])).status, 200);
    assert.deepEqual(asked, ["Bearer the key of the pool"]);
  } finally {
    await gateway.close();
    await secret.close(100);
    await worker.close(100);
  }
});
