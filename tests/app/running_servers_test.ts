import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  announceServer,
  findServers,
  INSTANCE_HEADER,
  loopbackUrl,
  notedServers,
  type ServerPlaces,
} from "../../lib/app/running_servers.ts";
import { withFolder } from "../support/temporary_folder.ts";

const health = () => Response.json({ status: "ok" });
const handler = { fetch: () => Promise.resolve(health()), close: () => Promise.resolve(), model: "m" };

/** Processes that started at their own number. */
const processes = (alive: readonly number[], pid = 7, scope = "here") => ({
  pid,
  isRunning: (one: number) => alive.includes(one),
  scope: () => Promise.resolve(scope),
  startTime: (one: number) => `start ${one}`,
});

/** A machine whose servers answer by their addresses. */
function machine(folder: string, servers: Map<string, (request: Request) => Promise<Response>>): ServerPlaces {
  return {
    folder: join(folder, "servers"),
    processes: processes([7]),
    fetch: (request) => {
      const answer = servers.get(new URL(request.url).origin);
      return answer ? answer(request) : Promise.reject(new TypeError("refused"));
    },
  };
}

test("a server leaves its address while it listens, for its user alone and without secrets", () =>
  withFolder(async (folder) => {
    const servers = new Map<string, (request: Request) => Promise<Response>>();
    const places = machine(folder, servers);
    const one = announceServer("api", handler, places);
    servers.set("http://127.0.0.1:9000", (request) => one.fetch(request, "127.0.0.1"));
    await one.listening("http://0.0.0.0:9000");
    const [name] = readdirSync(places.folder!);
    const path = join(places.folder!, name);
    assert.deepEqual([statSync(path).mode & 0o777, statSync(places.folder!).mode & 0o777], [0o600, 0o700]);
    const note = JSON.parse(readFileSync(path, "utf8"));
    const names = ["instance", "kind", "model", "pid", "scope", "startTime", "url", "version"];
    assert.deepEqual([Object.keys(note).sort(), note.url, note.pid, note.model], [
      names,
      "http://127.0.0.1:9000",
      7,
      "m",
    ]);
    assert.deepEqual((await findServers("api", places)).map(({ url }) => url), ["http://127.0.0.1:9000"]);
    assert.deepEqual(await findServers("world", places), []);
    const other = await one.fetch(new Request("http://127.0.0.1:9000/v1/models"), "127.0.0.1");
    assert.equal(other.headers.get(INSTANCE_HEADER), null);
    await one.end();
    assert.deepEqual(readdirSync(places.folder!), []);
  }));

test("notes of servers that have died, and of others at their address or with their process id, are removed", () =>
  withFolder(async (folder) => {
    const servers = new Map<string, (request: Request) => Promise<Response>>();
    const places = machine(folder, servers);
    const urls = [1, 2, 3].map((n) => `http://127.0.0.1:${9000 + n}`);
    const all = urls.map(() => announceServer("api", handler, places));
    for (const [i, one] of all.entries()) await one.listening(urls[i]);
    servers.set(urls[0], (request) => all[0].fetch(request, "127.0.0.1"));
    servers.set(urls[1], () => Promise.resolve(health())); // another program; nobody listens at the third address
    assert.deepEqual((await findServers("api", places)).map(({ url }) => url), [urls[0]]);
    assert.equal(readdirSync(places.folder!).length, 1);
    const reused = { ...places, processes: { ...processes([7]), startTime: () => "later" } };
    assert.deepEqual([await notedServers(reused), readdirSync(places.folder!)], [[], []]);
    await all[0].listening(urls[0]);
    const dead = { ...places, processes: processes([]) };
    assert.deepEqual([await notedServers(dead), readdirSync(places.folder!)], [[], []]);
  }));

test("a server that does not answer in time keeps its note, and so do those of other machines", () =>
  withFolder(async (folder) => {
    const silent = (request: Request) =>
      new Promise<Response>((_, reject) => {
        const alive = setInterval(() => {}, 1000); // the timeout of a signal keeps no process alive
        request.signal.addEventListener("abort", () => {
          clearInterval(alive);
          reject(request.signal.reason);
        });
      });
    const places = machine(folder, new Map([["http://127.0.0.1:9001", silent]]));
    await announceServer("api", handler, places).listening("http://127.0.0.1:9001");
    assert.deepEqual(await findServers("api", places), []);
    assert.equal((await notedServers(places)).length, 1);
    const elsewhere = { ...places, processes: processes([], 8, "there") };
    assert.deepEqual([await notedServers(elsewhere), readdirSync(places.folder!).length], [[], 1]);
  }));

test("what is not a note, or has an address beyond loopback, is passed over and stays", () =>
  withFolder(async (folder) => {
    let asked = 0;
    const places: ServerPlaces = {
      folder: join(folder, "servers"),
      processes: processes([7]),
      fetch: () => Promise.resolve(health()).finally(() => asked++),
    };
    mkdirSync(places.folder!);
    const note = {
      ...{ kind: "api", pid: 7, model: "m", version: "1", instance: "i", scope: "here", startTime: "start 7" },
    };
    const urls = [
      "http://10.0.0.1:80",
      "http://a@127.0.0.1:80",
      "https://127.0.0.1:80",
      "http://127.0.0.1.evil.org",
      "x",
    ];
    const texts = ["", "{", "[]", "null", ...urls.map((url) => JSON.stringify({ ...note, url }))];
    for (const more of [{ kind: "x" }, { pid: -1 }, { pid: "7" }, { instance: 1 }]) {
      texts.push(JSON.stringify({ ...note, ...more }));
    }
    texts.forEach((text, i) => writeFileSync(join(places.folder!, `${i}.json`), text));
    assert.deepEqual([await findServers("api", places), asked], [[], 0]);
    assert.equal(readdirSync(places.folder!).length, texts.length);
    // One that listens on no loopback address is known, but not where.
    await announceServer("api", handler, places).listening("http://192.168.1.5:9000");
    assert.deepEqual((await findServers("api", places)).map(({ url, pid }) => [url, pid]), [[undefined, 7]]);
    assert.equal(asked, 0);
  }));

test("loopbackUrl() is the address by which this machine reaches a server", () => {
  const cases: [string, string | undefined][] = [
    ["http://127.0.0.1:1", "http://127.0.0.1:1"],
    ["http://localhost:1", "http://localhost:1"],
    ["http://[::1]:1", "http://[::1]:1"],
    ["http://0.0.0.0:1", "http://127.0.0.1:1"],
    ["http://[::]:1", "http://[::1]:1"],
    ["http://192.168.1.5:1", undefined],
    ["http://example.org:1", undefined],
    ["http://[fe80::1%eth0]:1", undefined],
  ];
  for (const [url, expected] of cases) assert.equal(loopbackUrl(url), expected, url);
});

test("a folder that cannot be written to does not stop a server", () =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, "servers"), "a file");
    const places = { folder: join(folder, "servers"), processes: processes([7]) };
    const one = announceServer("api", handler, places);
    await one.listening("http://127.0.0.1:9000");
    await one.end();
    assert.deepEqual(await findServers("api", places), []);
  }));
