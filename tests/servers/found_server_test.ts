import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { openModels } from "../../lib/app/models/open_models.ts";
import { withApiProcess } from "../support/api_process.ts";
import { end, startServer } from "../support/server_process.ts";
import { picture } from "../support/vision_uploads.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { runSvc } from "../support/run_svc.ts";

const GREETING = "Hello! I am a tiny model, and I say what my script says.\n";
const notes = (home: string) => readdirSync(join(home, "servers"));

test("svc chat and svc status find a server on any port, which takes its address away at its end", () =>
  withApiProcess({ models: ["tiny-chat"] }, async (server) => {
    const { home, url } = server;
    assert.equal(notes(home).length, 1);
    const chat = await runSvc(home, ["chat", "tiny-chat", "hi"]);
    assert.deepEqual([chat.status, chat.stdout, chat.stderr], [0, GREETING, ""]);
    const { server: found } = JSON.parse((await runSvc(home, ["status", "--json"])).stdout);
    assert.deepEqual([found.url, found.health, found.loadedModels], [url, "up", ["tiny-chat"]]);
    // A model that the server does not have is not waited for.
    const other = await runSvc(home, ["speak", "Hi", "-o", join(home, "a.wav")]);
    assert.equal(other.status, 1);
    assert.match(other.stderr, /no(ne)? .*installed/);
    end(server, "SIGTERM");
    assert.equal(await server.exit, 0);
    assert.deepEqual(notes(home), []);
  }));

test("a server that was killed leaves an address that nobody uses, and a key is asked for at once", () =>
  withApiProcess({ models: ["tiny-chat"], args: ["--api-key=a-key-that-is-long-enough"] }, async (server) => {
    const { home, url } = server;
    const locked = await runSvc(home, ["chat", "tiny-chat", "hi"]);
    assert.equal(locked.status, 1);
    assert.ok(
      locked.stderr.includes(`the server at ${url}: it requires a key, set --api-key or SVC_API_KEY`),
      locked.stderr,
    );
    const opened = await runSvc(home, ["chat", "tiny-chat", "hi"], {
      env: { SVC_API_KEY: "a-key-that-is-long-enough" },
    });
    assert.equal(opened.stdout, GREETING);
    end(server, "SIGKILL");
    await server.exit;
    assert.equal(notes(home).length, 1);
    const own = await runSvc(home, ["chat", "tiny-chat", "hi"]);
    assert.deepEqual([own.status, own.stdout], [0, GREETING]);
    assert.deepEqual([notes(home), existsSync(join(home, "admission"))], [[], true]);
  }));

test("openModels() does not wait for a server, which runs until its user ends it", () =>
  withApiProcess({ models: ["tiny-chat"] }, async ({ home }) => {
    const before = process.env.SVC_HOME;
    process.env.SVC_HOME = home;
    try {
      await assert.rejects(openModels(), (error: Error) => {
        assert.match(error.message, /^Cannot start openModels\(\): api serve \(process \d+\) .+, use it or end it$/);
        return error.name === "PermitsRefusedError";
      });
    } finally {
      if (before === undefined) delete process.env.SVC_HOME;
      else process.env.SVC_HOME = before;
    }
  }));

test("svc world walk opens a world on a server of any port, and several are named", () =>
  withFolder(async (home) => {
    const start = (name: string) =>
      startServer(["--port=0", "--json", "--device=cpu", `--state-directory=${join(home, name)}`], { SVC_HOME: home });
    const servers = [start("one")];
    try {
      const { url } = JSON.parse(await servers[0].line);
      const walk = ["world", "walk", "w", "-o", join(home, "walk.mp4"), "--json"];
      const walked = await runSvc(home, walk);
      assert.equal(walked.status, 0, walked.stderr);
      const server = JSON.parse(walked.stdout.split("\n")[0]);
      assert.deepEqual([server.event, server.started], ["server", false]);
      const { data } = await (await fetch(`${url}/v1/worlds`)).json() as { data: { name?: string; path: string }[] };
      assert.deepEqual(data.map(({ name }) => name), [undefined, "svc world walk"]);
      assert.equal(`${server.url}/`, url + data[1].path);
      const status = await runSvc(home, ["status", "--json"]);
      assert.deepEqual(JSON.parse(status.stdout).worldServers.map(({ url }: { url: string }) => url), [url]);
      servers.push(start("two"));
      const other = JSON.parse(await servers[1].line).url;
      const unsure = await runSvc(home, [...walk, "--force"]);
      assert.equal(unsure.status, 2);
      for (const one of [url, other, "--url"]) assert.ok(unsure.stdout.includes(one), unsure.stdout);
    } finally {
      for (const server of servers) {
        end(server, "SIGTERM");
        await server.exit;
      }
    }
    assert.deepEqual(notes(home), []);
  }));

test("svc vision asks a running server, and gives the same files as without one", () =>
  withApiProcess({ models: ["vision-geometry-da3-small"] }, async (server) => {
    const { home, url } = server;
    const views = [join(home, "a.png"), join(home, "b.png")];
    for (const [i, path] of views.entries()) {
      writeFileSync(path, new Uint8Array(await (await picture(40, 30, 3 + i)).arrayBuffer()));
    }
    const run = async (out: string, ...args: string[]) => {
      const words = ["vision", "multiview", ...views, "--process-resolution", "42", "-o", join(home, out), ...args];
      return await runSvc(home, words);
    };
    const files = (out: string) => (readdirSync(join(home, out), { recursive: true }) as string[]).sort();
    const requests = async () => (await server.get("/runtime/status")).admission.totalCompletedRequests;
    const found = await run("found");
    assert.deepEqual([found.status, found.stderr], [0, ""]);
    const named = await run("named", "--url", url, "--json");
    assert.equal(named.status, 0, named.stderr);
    assert.equal(await requests(), 2);
    end(server, "SIGTERM");
    await server.exit;
    const own = await run("own");
    assert.deepEqual([own.status, own.stderr], [0, ""]);
    assert.deepEqual(files("found"), files("own"));
    const result = JSON.parse(readFileSync(join(home, "found", "result.json"), "utf8"));
    for (const { url } of result.artifacts) assert.ok(existsSync(join(home, "found", url)), url);
  }));
