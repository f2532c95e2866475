/**
 * Kills a world server again and again, at random moments of a random walk, and compares every picture with those of a
 * server that nobody disturbs, on both backends: `deno task soak:restart [SEED] [KILLS]`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import type { BackendName, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import type { CameraMotion } from "../../lib/world/protocol/job_record.ts";
import type { TransitionRequestBody } from "../../lib/world/protocol/requests/request_bodies.ts";
import { seededRandom } from "../support/random.ts";
import { end, type Running, startServer } from "../support/server_process.ts";

const [seed = 1, kills = 20] = process.argv.slice(2).map(Number);
const random = seededRandom(seed);
const root = await mkdtemp(join(tmpdir(), "svc-restart-"));

interface Served {
  readonly server: Running;
  readonly client: WorldClient;
  readonly url: string;
}

async function serve(backend: BackendName, name: string, ...flags: string[]): Promise<Served> {
  const folder = `--state-directory=${join(root, backend, name)}`;
  const common = ["--port=0", "--json", "--device=cpu", "--threads=1", `--backend=${backend}`, folder];
  const server = startServer([...common, ...flags]);
  const { url } = JSON.parse(await server.line);
  return { server, url, client: new WorldClient(url) };
}

function step(backend: BackendName): TransitionRequestBody {
  const [motion, ry, z] = ([["forward", 0, 1], ["backward", 0, -1], ["yawLeft", -15, 0], ["yawRight", 15, 0]] as const)[
    Math.floor(random() * 4)
  ];
  const camera = {
    motion: motion as CameraMotion,
    translationMeters: [0, 0, z],
    rotationDegrees: [0, ry, 0],
  } as const;
  const size = backend === "arworld" ? { numFrames: 9 } : { numFrames: 5, steps: 2 };
  return { prompt: "a corridor", camera, ...size, seed: Math.floor(random() * 3) };
}

async function go({ client }: Served, body: TransitionRequestBody): Promise<Uint8Array | undefined> {
  const { jobId } = await client.startTransition(body);
  await client.awaitJob(jobId);
  return await client.currentFrame();
}

/** Sends a move that may be sent again; its id, and whether it is the first answer. */
async function send(
  { url }: Served,
  key: string,
  body: TransitionRequestBody,
): Promise<{ id: string; again: boolean }> {
  const headers = { "content-type": "application/json", "idempotency-key": key };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/v1/world/session/transitions`, init);
  const { job_id: id } = await response.json();
  assert.equal(response.status, 202);
  return { id, again: response.headers.has("idempotency-replayed") };
}

/** The graph as far as it does not depend on chance. */
function shape({ states, transitionCount, checkpointCount, currentWorldPose }: WorldSnapshot): unknown {
  return {
    retained: states.map(({ retained, depth }) => [retained, depth]),
    transitionCount,
    checkpointCount,
    currentWorldPose,
  };
}

async function shake(backend: BackendName): Promise<void> {
  const calm = await serve(backend, "calm", "--journal=off");
  let shaken = await serve(backend, "shaken");
  for (const { client } of [calm, shaken]) await client.uploadSource(await client.startImage());
  let moves = 0;
  const cut = { finished: 0, gone: 0, unheard: 0 };
  try {
    for (let kill = 1; kill <= kills; kill++) {
      const stay = 1 + Math.floor(random() * 3);
      for (let i = 0; i < stay; i++, moves++) {
        const body = step(backend);
        assert.deepEqual(await go(shaken, body), await go(calm, body), `move ${moves}`);
      }
      if (backend === "arworld" && random() < 0.2) {
        for (const { client } of [calm, shaken]) await client.createCheckpoint(`kill ${kill}`);
      }
      const body = step(backend);
      const before = (await calm.client.session()).transitionCount;
      const sent = send(shaken, `kill-${kill}`, body).catch(() => undefined); // its server is about to be killed
      await new Promise((resolve) => setTimeout(resolve, random() * 400));
      end(shaken.server, "SIGKILL");
      await shaken.server.exit;
      shaken = await serve(backend, "shaken");
      assert.ok(["exact", undefined].includes((await shaken.client.session()).continuity));
      // Sent again it is the same job, whatever has become of it, or the first one that the server has ever received.
      const heard = await sent;
      const { id, again } = await send(shaken, `kill-${kill}`, body);
      if (heard) assert.deepEqual([id, again], [heard.id, true], `kill ${kill}`);
      await shaken.client.awaitJob(id).catch((error) => assert.match(error.message, /was cancelled/)); // cut off
      const session = await shaken.client.session();
      if (session.transitionCount > before) await go(calm, body);
      cut[!again ? "unheard" : session.transitionCount > before ? "finished" : "gone"]++;
      assert.deepEqual(shape(session), shape(await calm.client.session()), `kill ${kill}`);
      assert.deepEqual(await shaken.client.currentFrame(), await calm.client.currentFrame(), `kill ${kill}`);
      const [lock] = backend === "arworld" ? await shaken.client.checkpoints().catch(() => []) : [];
      if (lock && random() < 0.3) {
        for (const { client } of [calm, shaken]) {
          await client.restoreCheckpoint((await client.checkpoints())[0].checkpointId);
        }
      }
    }
    // deno-lint-ignore no-console
    console.log(
      `${backend}: ${kills} kills, ${moves} moves; of those that were cut off ${cut.finished} were finished, ${cut.gone} gone ` +
        `(rolled back), ${cut.unheard} made when they were sent again: nothing lost, all pictures as undisturbed`,
    );
  } finally {
    for (const { server } of [calm, shaken]) {
      end(server, "SIGKILL");
      await server.exit;
    }
  }
}

try {
  for (const backend of ["arworld", "actionworld"] as const) await shake(backend);
} finally {
  await rm(root, { recursive: true, force: true });
}
