import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { startWorldServer } from "../../lib/app/world/start_world_server.ts";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import type { CameraMotion } from "../../lib/world/protocol/job_record.ts";
import type { TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";
import type { WorldRecord } from "../../lib/world/protocol/world_record.ts";
import { end, ROOT, type Running, startServer } from "../support/server_process.ts";
import { smallCorridor } from "../support/small_corridor.ts";
import { withFolder } from "../support/temporary_folder.ts";
import type { Wire } from "../../lib/json/wire_form.ts";

const source = new Uint8Array(readFileSync(join(ROOT, "models/corridor-nano/base/source.png")));

function move(motion: CameraMotion, ry = 0, z = 0): TransitionRequestBody {
  const camera = { motion, translationMeters: [0, 0, z], rotationDegrees: [0, ry, 0] } as const;
  return { prompt: "a corridor", camera, numFrames: 9, seed: 5 };
}

interface Served {
  readonly server: Running;
  readonly url: string;
}

async function serve(folder: string, ...flags: string[]): Promise<Served> {
  const common = ["--port=0", "--json", "--device=cpu", "--threads=1", `--state-directory=${folder}`];
  const server = startServer([...common, ...flags]);
  return { server, url: JSON.parse(await server.line).url };
}

async function go(client: WorldClient, body: TransitionRequestBody): Promise<Uint8Array> {
  const { jobId } = await client.startTransition(body);
  const record = await client.awaitJob(jobId);
  assert.equal(record.status, "completed", JSON.stringify(record.error));
  return await client.terminalFrame(jobId);
}

/** All that a client can see of a world. */
async function known(client: WorldClient): Promise<unknown> {
  const {
    model: _model,
    phase: _phase,
    keepsModelsWarm: _warm,
    continuity: _continuity,
    activeJob: _job,
    ...session
  } = await client.session();
  return { session, checkpoints: await client.checkpoints().catch(() => []) };
}

// @row world-session > Worlds > After any end of the process: the same worlds, locks, graph and pictures
test("a server that is killed in a move comes back with the same worlds, locks, graph and pictures", () =>
  withFolder(async (folder) => {
    const { server, url } = await serve(folder, `--model=${smallCorridor()}`);
    const client = new WorldClient(url);
    const opened: Wire<WorldRecord> = await (await fetch(`${url}/v1/worlds`, { method: "POST" })).json();
    const other = (url: string): WorldClient => new WorldClient(`${url}${opened.path}`);
    await client.uploadSource(source);
    await other(url).uploadSource(source);
    await go(client, move("forward", 0, 1));
    await client.createCheckpoint("door");
    const turned = await go(client, move("yawLeft", -15));
    const { jobId: ended } = await client.startTransition(move("forward", 0, 1));
    await client.awaitJob(ended);
    const on = await client.terminalFrame(ended);
    await go(other(url), move("yawRight", 15));
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /^svc_block_seconds_count [1-9]/m);
    assert.match(metrics, /^svc_snapshot_bytes_count\{direction="written"\} [1-9]/m);
    const before = [await known(client), await known(other(url))];
    const job = await client.job(ended);
    const worlds = async (url: string) => (await (await fetch(`${url}/v1/worlds`)).json()).data as Wire<WorldRecord>[];
    const ids = (await worlds(url)).map(({ world_id }) => world_id);
    const rollout = { prompt: "a corridor", action_seq: ["w"], num_output_frames: 252 };
    const keyed = async (url: string, path: string, body: unknown) => {
      const headers = { "content-type": "application/json", "idempotency-key": "again" };
      const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
      return {
        status: response.status,
        replayed: response.headers.has("idempotency-replayed"),
        ...await response.json(),
      };
    };
    const third = await keyed(url, "/v1/worlds", { name: "third" });
    const rollouts = "/v1/world/session/rollouts";
    const { job_id: cut } = await keyed(url, rollouts, rollout);
    for await (const _chunk of client.chunks(cut)) break;
    end(server, "SIGKILL");
    await server.exit;
    assert.ok(readdirSync(folder).includes("rollout-0006.chunks"));

    const common = { port: 0, device: "cpu", threads: 1, stateDirectory: folder, log: () => {} } as const;
    const options = { ...common, model: smallCorridor() };
    const again = await startWorldServer(options);
    try {
      const client = new WorldClient(again.url);
      assert.deepEqual((await worlds(again.url)).map(({ world_id }) => world_id), [...ids, third.world_id]);
      assert.deepEqual(await keyed(again.url, "/v1/worlds", { name: "third" }), { ...third, replayed: true });
      assert.equal((await keyed(again.url, "/v1/worlds", { name: "x" })).error.code, "idempotency_key_reused");
      assert.equal((await keyed(again.url, rollouts, rollout)).job_id, cut);
      const { prompt } = rollout;
      assert.equal((await keyed(again.url, rollouts, { prompt })).error.code, "idempotency_key_reused");
      assert.deepEqual([await known(client), await known(other(again.url))], before);
      assert.equal((await client.session()).continuity, "exact");
      assert.deepEqual(await client.job(ended), job);
      assert.equal((await client.job(cut)).status, "cancelled");
      assert.deepEqual(readdirSync(folder).filter((name) => name.includes("0006")), []);
      assert.deepEqual(await go(client, move("backward", 0, -1)), turned, "walks back over the edge");
      assert.deepEqual(await go(client, move("forward", 0, 1)), on);
      const [{ checkpointId }] = await client.checkpoints();
      await client.restoreCheckpoint(checkpointId);
      assert.deepEqual(await go(client, move("yawLeft", -15)), turned);
    } finally {
      await again.close();
    }
  }));

// @row world-session > Worlds > After any end of the process: the same worlds, locks, graph and pictures
test("an actionworld that is killed in a move continues bit for bit, and walks back over what it had kept", () =>
  withFolder(async (folder) => {
    const { server, url } = await serve(folder, "--backend=actionworld");
    const client = new WorldClient(url);
    const small = (motion: CameraMotion, z: number, num_frames = 5) => ({
      ...move(motion, 0, z),
      num_frames,
      steps: 2,
    });
    await client.uploadSource(await client.startImage());
    const start = await client.currentFrame();
    const there = await go(client, small("forward", 1));
    const before = await known(client);
    const { jobId: cut } = await client.startTransition(small("forward", 1, 65));
    end(server, "SIGKILL");
    await server.exit;

    const options = { backend: "actionworld", port: 0, device: "cpu", threads: 1, log: () => {} } as const;
    const again = await startWorldServer({ ...options, stateDirectory: folder });
    const calm = await startWorldServer({ ...options, stateDirectory: `${folder}/calm` });
    try {
      const client = new WorldClient(again.url);
      assert.deepEqual(await known(client), before);
      assert.equal((await client.job(cut)).status, "cancelled");
      const on = await go(client, small("forward", 1));
      assert.deepEqual(await go(client, small("backward", -1)), there);
      assert.deepEqual(await go(client, small("backward", -1)), start);
      const undisturbed = new WorldClient(calm.url);
      await undisturbed.uploadSource(await undisturbed.startImage());
      assert.deepEqual(await go(undisturbed, small("forward", 1)), there);
      assert.deepEqual(await go(undisturbed, small("forward", 1)), on);
    } finally {
      await again.close();
      await calm.close();
    }
  }));

test("a start without a journal leaves what is there, and the next one with a journal has it again", () =>
  withFolder(async (folder) => {
    const model = `--model=${smallCorridor()}`;
    const foreign = ["transition-0050.mp4", "state-2024.notes.md", "worlds/notes/todo.txt", "worlds/plan.md"];
    const first = await serve(folder, model);
    const client = new WorldClient(first.url);
    await client.uploadSource(source);
    await go(client, move("forward", 0, 1));
    await client.createCheckpoint("door");
    const opened: Wire<WorldRecord> = await (await fetch(`${first.url}/v1/worlds`, { method: "POST" })).json();
    await new WorldClient(`${first.url}${opened.path}`).uploadSource(source);
    const before = await known(client);
    end(first.server, "SIGTERM");
    await first.server.exit;
    for (const name of foreign) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), name);
    }
    const files = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    const there = files();
    const second = await serve(folder, model, "--journal=off");
    const other = new WorldClient(second.url);
    assert.deepEqual((await other.session()).stateIds, []);
    await other.uploadSource(source);
    await go(other, move("forward", 0, 1));
    await other.createCheckpoint("ends with its server");
    const short: Wire<WorldRecord> = await (await fetch(`${second.url}/v1/worlds`, { method: "POST" })).json();
    await new WorldClient(`${second.url}${short.path}`).uploadSource(source);
    end(second.server, "SIGKILL");
    await second.server.exit;
    assert.deepEqual(there.filter((name) => !files().includes(name)), []);
    const third = await serve(folder, model);
    try {
      assert.deepEqual(await known(new WorldClient(third.url)), before);
      const ids = ((await (await fetch(`${third.url}/v1/worlds`)).json()).data as Wire<WorldRecord>[]).map((w) =>
        w.world_id
      );
      assert.ok(ids.includes(opened.world_id) && !ids.includes(short.world_id), ids.join());
      assert.deepEqual(there.filter((name) => !files().includes(name)), []);
      const left = files().filter((name) => !there.includes(name) && /\.frames|checkpoint|worlds/.test(name));
      assert.deepEqual(left, [], "what was useful to the killed server only");
    } finally {
      end(third.server, "SIGTERM");
      await third.server.exit;
    }
  }));
