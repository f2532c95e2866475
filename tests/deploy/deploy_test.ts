import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { ModelTimes } from "../../lib/world/host/world_metrics.ts";
import { readGatewayFlags } from "../../fleet/commands/serve_gateway.ts";
import { workerFamilies } from "../../fleet/worker/worker_reports.ts";
import { gatewayFamilies } from "../../fleet/gateway/start_gateway.ts";
import { readApiFlags } from "../../servers/flags/api_flags.ts";
import { readWorldFlags, worldHelp } from "../../servers/flags/world_flags.ts";
import { connectBroker } from "../../fleet/nats/connect_broker.ts";
import { worldFamilies } from "../../lib/world/http/worlds_routes.ts";
import { startConfiguredNats } from "../support/configured_nats.ts";
import { withoutNats } from "../support/nats_server.ts";
import { runSvc } from "../support/run_svc.ts";

const folder = new URL("../../deploy/", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, folder), "utf8");
const units = readdirSync(new URL("systemd/", folder));
const KEY = "k0123456789abcdef";

test("the dashboard shows metrics that servers have, and none of another name", () => {
  const counts = { placed: 0, notPlaced: 0, fenced: 0, placementSeconds: 0, left: new Map([["drain", 1]]) };
  const families = [
    ...gatewayFamilies({ sessions: new Map(), workers: new Map() }, { retries: 0, takeovers: 0 }, []),
    ...workerFamilies({ slots: 1, used: 0, isSound: true, counts }),
    ...worldFamilies([], [], "1"),
    ...new ModelTimes().families(),
  ];
  const parts = (name: string): string[] => ["_bucket", "_sum", "_count"].map((part) => name + part);
  const known = new Set(families.flatMap(([name, type]) => type === "histogram" ? parts(name) : [name]));
  const { panels } = JSON.parse(read("grafana/fleet.json")) as { panels: { targets: { expr: string }[] }[] };
  const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(/svc_\w+/g) ?? []));
  assert.ok(shown.length >= 15);
  assert.deepEqual(shown.filter((name) => !known.has(name)), []);
});

test("every unit starts a server with flags that it has", () => {
  const env = { SVC_API_KEY: KEY, SVC_POOL_KEY: KEY };
  const values: Readonly<Record<string, string>> = {
    "${SVC_JOIN}": "nats://10.0.0.1:4222",
    "${SVC_SLOTS}": "4",
    "${SVC_ADVERTISE}": "http://10.0.0.2:8791",
    "%i": "one",
  };
  const servers = units.filter((unit) => !unit.startsWith("svc-collect."));
  assert.equal(servers.length, units.length - 2);
  for (const unit of servers) {
    const line = /^ExecStart=\/usr\/bin\/svc (\w+) serve (.+)$/m.exec(read(`systemd/${unit}`));
    assert.ok(line, unit);
    const args = line[2].split(" ").map((word) => values[word] ?? word);
    const readers = { world: readWorldFlags, gateway: readGatewayFlags, api: readApiFlags } as const;
    assert.equal(readers[line[1] as keyof typeof readers](unit, args, env).kind, "serve");
  }
});

test("files are collected every night, with flags that there are", async () => {
  const unit = /^ExecStart=\/usr\/bin\/svc (.+)$/m.exec(read("systemd/svc-collect.service"));
  const chart = read("helm/svc-fleet/templates/collect.yaml");
  const { stdout } = await runSvc(tmpdir(), ["cluster", "collect", "--help"]);
  for (const flag of [...unit![1].match(/--[a-z-]+/g)!, ...chart.match(/--[a-z][a-z-]*$/gm)!]) {
    assert.ok(stdout.includes(`${flag} `), flag);
  }
});

test("the chart starts servers with flags that they have, reads its values, and has no secret", () => {
  const at = "helm/svc-fleet/";
  const templates = readdirSync(new URL(`${at}templates/`, folder)).map((name) => read(`${at}templates/${name}`));
  const all = templates.join("\n");
  const { version } = JSON.parse(readFileSync(new URL("../package.json", folder), "utf8"));
  assert.ok(read(`${at}Chart.yaml`).includes(`appVersion: "${version}"`));
  const init = ["--join", "--nats-ca", "--lease", "--line", "--replicas", "--grace-hours"];
  const gateway = readGatewayFlags("x", ["--help"], {});
  assert.equal(gateway.kind, "help");
  const helps = [gateway.kind === "help" ? gateway.text : "", worldHelp("x")];
  const known = helps.flatMap((text) => text.match(/--[a-z-]+/g) ?? []);
  const flags = [...all.matchAll(/^ *- (--[a-z-]+)$/gm)].map(([, flag]) => flag);
  assert.ok(flags.length > 15);
  assert.deepEqual(flags.filter((flag) => !known.includes(flag) && !init.includes(flag)), []);
  const schema = JSON.parse(read(`${at}values.schema.json`));
  const used = [...all.matchAll(/\.Values\.(\w+)(?:\.(\w+))?/g)];
  for (const [path, first, second] of used) {
    const part = schema.properties[first];
    assert.ok(part, path);
    if (second !== undefined) assert.ok(part.properties[second], path);
  }
  const fields = [...all.matchAll(/\$pool\.(\w+)/g)].map(([, field]) => field);
  assert.deepEqual(fields.filter((field) => !(field in schema.properties.pools.items.properties)), []);
  assert.doesNotMatch(all, /kind: Secret\b/);
  assert.deepEqual(all.match(/name: SVC_(?!POOL_KEY|API_KEY)\w+/g), null);
});

const analyze = spawnSync("systemd-analyze", ["--version"]).status === 0;
test("systemd takes every unit", { skip: !analyze && "there is no systemd-analyze" }, () => {
  const temporary = mkdtempSync(join(tmpdir(), "svc-units-"));
  try {
    const paths = units.map((unit) => {
      const path = join(temporary, unit);
      writeFileSync(path, read(`systemd/${unit}`).replaceAll("/usr/bin/svc", process.execPath));
      return path;
    });
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", ...paths], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
  } finally {
    rmSync(temporary, { recursive: true });
  }
});

test("the NATS server of the compose file requires its password", { skip: withoutNats }, async () => {
  const nats = await startConfiguredNats(
    // The ports and the folder are those of the container.
    (port, store) =>
      read("compose/nats.conf").replace(/^port:.*$/m, `listen: "127.0.0.1:${port}"`).replace(/^http:.*$/m, "")
        .replace("/data", JSON.stringify(store)),
    { SVC_NATS_PASSWORD: KEY },
  );
  try {
    const broker = { servers: `nats://127.0.0.1:${nats.port}`, name: "test" };
    await assert.rejects(connectBroker({ ...broker, user: "svc", password: `${KEY}0` }), /authorization/i);
    await assert.rejects(connectBroker(broker), /authorization/i);
    await (await connectBroker({ ...broker, user: "svc", password: KEY })).close();
  } finally {
    await nats.stop();
  }
});
