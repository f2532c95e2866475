/**
 * Kills a world server again and again, at random moments of a random walk, and compares every picture with those of a
 * server that nobody disturbs: `deno task soak:restart [SEED] [KILLS]`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import type { CameraMotion, TransitionRequestBody, WorldSnapshot } from "../../lib/world/protocol/wire.ts";
import { seededRandom } from "../support/random.ts";
import { end, type Running, startServer } from "../support/server_process.ts";

const [seed = 1, kills = 20] = process.argv.slice(2).map(Number);
const random = seededRandom(seed);
const root = await mkdtemp(join(tmpdir(), "svc-restart-"));

interface Served {
  readonly server: Running;
  readonly client: WorldClient;
}

async function serve(name: string, ...flags: string[]): Promise<Served> {
  const folder = `--state-directory=${join(root, name)}`;
  const server = startServer(["--port=0", "--json", "--device=cpu", "--threads=1", folder, ...flags]);
  return { server, client: new WorldClient(JSON.parse(await server.line).url) };
}

function step(): TransitionRequestBody {
  const [motion, ry, z] = ([["forward", 0, 1], ["backward", 0, -1], ["yawLeft", -15, 0], ["yawRight", 15, 0]] as const)[
    Math.floor(random() * 4)
  ];
  const camera = {
    motion: motion as CameraMotion,
    translation_meters: [0, 0, z],
    rotation_degrees: [0, ry, 0],
  } as const;
  return { prompt: "a corridor", camera, num_frames: 9, seed: Math.floor(random() * 3) };
}

async function go({ client }: Served, body: TransitionRequestBody): Promise<Uint8Array | undefined> {
  const { job_id } = await client.startTransition(body);
  await client.awaitJob(job_id);
  return await client.currentFrame();
}

/** The graph as far as it does not depend on chance. */
function shape({ states, transition_count, checkpoint_count, current_world_pose }: WorldSnapshot): unknown {
  return {
    retained: states.map(({ retained, depth }) => [retained, depth]),
    transition_count,
    checkpoint_count,
    current_world_pose,
  };
}

const calm = await serve("calm", "--journal=off");
let shaken = await serve("shaken");
for (const { client } of [calm, shaken]) await client.uploadSource(await client.startImage());
let moves = 0;
let unfinished = 0;
try {
  for (let kill = 1; kill <= kills; kill++) {
    const stay = 1 + Math.floor(random() * 3);
    for (let i = 0; i < stay; i++, moves++) {
      const body = step();
      assert.deepEqual(await go(shaken, body), await go(calm, body), `move ${moves}`);
    }
    if (random() < 0.2) { for (const { client } of [calm, shaken]) await client.createCheckpoint(`kill ${kill}`); }
    const body = step();
    const before = (await calm.client.session()).transition_count;
    shaken.client.startTransition(body).catch(() => {}); // its server is about to be killed
    await new Promise((resolve) => setTimeout(resolve, random() * 400));
    end(shaken.server, "SIGKILL");
    await shaken.server.exit;
    shaken = await serve("shaken");
    const session = await shaken.client.session();
    assert.equal(session.continuity, "exact");
    // It was finished, or it has never been.
    if (session.transition_count > before) await go(calm, body);
    else unfinished++;
    const expected = await calm.client.session();
    assert.deepEqual(shape(session), shape(expected), `kill ${kill}`);
    assert.deepEqual(await shaken.client.currentFrame(), await calm.client.currentFrame(), `kill ${kill}`);
    const [lock] = await shaken.client.checkpoints().catch(() => []);
    if (lock && random() < 0.3) {
      for (const { client } of [calm, shaken]) {
        await client.restoreCheckpoint((await client.checkpoints())[0].checkpoint_id);
      }
    }
  }
  // deno-lint-ignore no-console
  console.log(
    `${kills} kills, ${moves} moves, ${unfinished} of them cut off: nothing lost, all pictures as undisturbed`,
  );
} finally {
  for (const { server } of [calm, shaken]) {
    end(server, "SIGKILL");
    await server.exit;
  }
  await rm(root, { recursive: true, force: true });
}
