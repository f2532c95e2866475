import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import type { WorldSnapshot } from "../../../lib/world/protocol/wire.ts";
import type { CameraMotion, JobRecord } from "../../../lib/world/protocol/job_record.ts";
import { text } from "../../support/fake_media.ts";
import { seededRandom } from "../../support/random.ts";
import { type ReferenceEdge, SessionReference } from "../../support/session_reference.ts";
import { deferred, transition, type WorldHarness, worldHarness } from "../../support/world_harness.ts";
import { SvcError } from "../../../lib/errors/svc_error.ts";
import type { Wire } from "../../../lib/json/wire_form.ts";

const SESSION = "/v1/world/session";
const OPPOSITE: Partial<Record<CameraMotion, CameraMotion>> = {
  forward: "backward",
  backward: "forward",
  strafeLeft: "strafeRight",
  strafeRight: "strafeLeft",
  yawLeft: "yawRight",
  yawRight: "yawLeft",
};
const MOTIONS: CameraMotion[] = [...Object.keys(OPPOSITE) as CameraMotion[], "hold"];
const MAX_EDGES = 3;
const MAX_CHECKPOINTS = 2;

/** A server and its reference, driven by the same random choices. */
class Walk {
  readonly h: WorldHarness;
  readonly reference = new SessionReference(MAX_EDGES, MAX_CHECKPOINTS);
  readonly random: () => number;
  /** What the server showed for each history: the same history must look the same forever. */
  readonly seen = new Map<string, string>();

  constructor(h: WorldHarness, random: () => number) {
    this.h = h;
    this.random = random;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)];
  }

  async json<T>(method: string, path: string, status: number, json?: unknown): Promise<T> {
    const response = await this.h.call(method, path, json === undefined ? {} : { json });
    const body = await response.json();
    assert.equal(response.status, status, `${method} ${path}: ${JSON.stringify(body).slice(0, 300)}`);
    return body;
  }

  async fails(method: string, path: string, status: number, code: string, json?: unknown): Promise<void> {
    const { error } = await this.json<{ error: { code: string } }>(method, path, status, json);
    assert.equal(error.code, code);
  }

  snapshot(): Promise<Wire<WorldSnapshot>> {
    return this.json("GET", SESSION, 200);
  }

  /** The server and the reference agree on everything that can be seen. */
  async compare(): Promise<void> {
    const { reference: r, h } = this;
    const found = await this.snapshot();
    assert.equal(found.phase, r.loaded ? "ready" : "cold");
    assert.equal(found.active_job, undefined);
    assert.equal(found.transition_count, r.state.transitions);
    assert.deepEqual(found.state_ids, r.state.path.map((s) => s.id));
    assert.equal(found.current_state_id, r.current?.id);
    assert.equal(found.generated_latent_frame_count, r.current?.latents ?? 0);
    assert.equal(found.checkpoint_count, r.checkpoints.length);
    const known = new Map([r.state, ...r.checkpoints.map((l) => l.state)].flatMap((p) => p.path).map((s) => [s.id, s]));
    assert.deepEqual(
      found.states.map((s) => [s.state_id, s.depth, s.retained]),
      [...known.values()].map((s) => [s.id, s.depth, r.retained.has(s.id)]),
    );
    const kept = readdirSync(h.folder).filter((name) => name.endsWith(".frames"));
    assert.ok(kept.length <= MAX_EDGES, `${kept.length} edges on disk`);
    assert.ok(h.model.snapshots.size <= MAX_EDGES + MAX_CHECKPOINTS, `${h.model.snapshots.size} snapshots`);
    if (!r.current) return;
    const look = JSON.stringify([
      found.current_world_pose,
      found.scene_memory_frame_count,
      found.scene_memory_retrieval_count,
      r.current.latents > 0 && h.model.chain,
    ]);
    const before = this.seen.get(r.current.history);
    if (before === undefined) this.seen.set(r.current.history, look);
    else assert.equal(look, before, "a world that was returned to looks different");
  }

  async job(path: string, body: unknown): Promise<JobRecord> {
    const { job_id: jobId } = await this.json<Wire<JobRecord>>("POST", `${SESSION}/${path}`, 202, body);
    return await this.h.ended({ jobId });
  }
}

type Operation = (walk: Walk) => Promise<void>;

const operations: Record<string, Operation> = {
  async prepare(w) {
    await w.json("POST", `${SESSION}/prepare`, 200);
    w.reference.loaded = true;
  },
  async source(w) {
    const colour = w.pick([1, 2, 3]);
    const response = await w.h.call("POST", `${SESSION}/source`, {
      headers: { "content-type": "image/png" },
      body: text(`image 64 32 ${colour}`),
    });
    assert.equal(response.status, 200);
    w.reference.startAt((await response.json()).current_state_id, `image ${colour}`);
  },
  async refusedSource(w) {
    const response = await w.h.call("POST", `${SESSION}/source`, {
      headers: { "content-type": "image/png" },
      body: "no image",
    });
    assert.equal(response.status, 400);
    await response.body?.cancel();
  },
  async reset(w) {
    await w.json("POST", `${SESSION}/reset`, 200);
    w.reference.reset();
  },
  async unload(w) {
    const picture = w.reference.current?.history ?? "";
    const { current_state_id: id } = await w.json<Wire<WorldSnapshot>>("POST", `${SESSION}/unload`, 200);
    w.reference.unload(id, picture);
  },
  move: (w) => move(w, w.pick(MOTIONS), w.pick([9, 12, 24])),
  async inverseMove(w) {
    const edge = w.reference.state.edges.at(-1);
    if (edge) await move(w, OPPOSITE[edge.motion]!, edge.frames);
  },
  async rollout(w) {
    const [keys, latents, seed] = [w.pick(["w", "jd", " "]), w.pick([3, 6]), w.pick([1, 2])];
    const body = { prompt: "p", action_seq: [keys], num_output_frames: latents, width: 64, height: 32, seed };
    if (!w.reference.current) return await w.fails("POST", `${SESSION}/rollouts`, 400, "source_required", body);
    const { rolloutReceipt: receipt } = await w.job("rollouts", body);
    w.reference.loaded = true;
    w.reference.move(receipt!.stateId, `rollout ${keys} ${latents} ${seed}`, latents / 3, undefined);
  },
  async cancelled(w) {
    if (!w.reference.current) return;
    const { h } = w;
    const gate = deferred();
    const begun = deferred();
    h.model.gate = gate.promise;
    h.model.onGenerate = () => begun.resolve();
    // A hold is never an inverse move, so the model runs.
    const job = await w.json<Wire<JobRecord>>("POST", `${SESSION}/transitions`, 202, transition("hold"));
    await begun.promise;
    for (const path of ["prepare", "reset", "unload"]) {
      await w.fails("POST", `${SESSION}/${path}`, 409, "session_busy");
    }
    await w.fails("POST", `${SESSION}/transitions`, 409, "session_busy", transition("forward"));
    await w.fails("POST", `${SESSION}/checkpoints`, 409, "session_busy", { name: "x" });
    assert.equal((await w.snapshot()).active_job?.job_id, job.job_id);
    const cancelling = await w.json<Wire<JobRecord>>("DELETE", `/v1/world/jobs/${job.job_id}`, 202);
    assert.equal(cancelling.status, "cancelling");
    assert.equal((await h.ended(job)).status, "cancelled");
    h.model.gate = undefined;
    h.model.onGenerate = () => {};
    w.reference.loaded = true;
  },
  async failed(w) {
    if (!w.reference.current) return;
    w.h.model.failure = { call: "generate", error: new Error("broken") };
    assert.equal((await w.job("transitions", transition("hold"))).error?.code, "internal_error");
    w.reference.loaded = true;
  },
  async checkpoint(w) {
    const { reference: r } = w;
    const create = (status: number) =>
      w.json<{ checkpoint_id: string; error: { code: string } }>(
        "POST",
        `${SESSION}/checkpoints`,
        status,
        { name: "here" },
      );
    if (!r.loaded) return assert.equal((await create(409)).error.code, "session_cold");
    if (r.checkpoints.length >= MAX_CHECKPOINTS) {
      return assert.equal((await create(409)).error.code, "too_many_checkpoints");
    }
    if (!r.current) return assert.equal((await create(409)).error.code, "no_current_state");
    r.checkpoint((await create(201)).checkpoint_id, "here");
  },
  async restore(w) {
    const checkpoint = w.pick(w.reference.checkpoints);
    if (!checkpoint) return;
    await w.json("POST", `${SESSION}/checkpoints/${checkpoint.id}/restore`, 200);
    w.reference.restore(checkpoint);
  },
  async deleteCheckpoint(w) {
    const checkpoint = w.pick(w.reference.checkpoints);
    if (!checkpoint) return;
    await w.json("DELETE", `${SESSION}/checkpoints/${checkpoint.id}`, 200);
    w.reference.deleteCheckpoint(checkpoint);
    await w.fails("DELETE", `${SESSION}/checkpoints/${checkpoint.id}`, 404, "checkpoint_not_found");
  },
  async list(w) {
    const { reference: r } = w;
    if (!r.loaded) return await w.fails("GET", `${SESSION}/checkpoints`, 409, "session_cold");
    const found = await w.json<{ checkpoint_id: string }[]>("GET", `${SESSION}/checkpoints`, 200);
    assert.deepEqual(found.map((c) => c.checkpoint_id), r.checkpoints.map((checkpoint) => checkpoint.id));
  },
};

async function move(w: Walk, motion: CameraMotion, frames: number): Promise<void> {
  const { reference: r } = w;
  const body = { ...transition(motion), num_frames: frames };
  if (!r.current) return await w.fails("POST", `${SESSION}/transitions`, 400, "source_required", body);
  const back = isBack(r.inverseMove, motion, frames);
  const fresh = r.current.latents === 0;
  const expected = back ? r.state.path.at(-2)!.id : undefined;
  const { receipt } = await w.job("transitions", body);
  assert.equal(receipt!.replayed, back);
  if (back) {
    assert.equal(receipt!.stateId, expected);
    return r.walkBack();
  }
  r.loaded = true;
  const blocks = fresh ? 1 + Math.ceil(Math.max(0, frames - 9) / 12) : Math.ceil(frames / 12);
  assert.equal(receipt!.pixelFrameCount, fresh ? 12 * blocks - 3 : 12 * blocks + 1);
  const edge = motion === "hold" ? undefined : { motion, frames };
  r.move(receipt!.stateId, `${motion} ${frames}`, blocks, edge);
}

function isBack(edge: ReferenceEdge | undefined, motion: CameraMotion, frames: number): boolean {
  return edge !== undefined && OPPOSITE[edge.motion] === motion && edge.frames === frames;
}

/** Moves are common, leaving the world is rare, so that paths grow long. */
const WEIGHTS: Record<string, number> = {
  move: 8,
  inverseMove: 6,
  rollout: 2,
  checkpoint: 3,
  restore: 3,
  list: 1,
  cancelled: 2,
};
const bag = Object.keys(operations).flatMap((name) => Array.from({ length: WEIGHTS[name] ?? 1 }, () => name));

for (const seed of [1, 2, 3]) {
  // @row world-session > States > Any order of operations
  test(`the server agrees with the reference in 200 random operations, seed ${seed}`, async () => {
    const h = await worldHarness({ limits: { maxRetainedEdges: MAX_EDGES, maxCheckpoints: MAX_CHECKPOINTS } });
    try {
      const walk = new Walk(h, seededRandom(seed));
      const done: string[] = [];
      for (let i = 0; i < 200; i++) {
        const name = walk.pick(bag);
        done.push(name);
        try {
          await operations[name](walk);
          await walk.compare();
        } catch (error) {
          throw new Error(`operation ${i}, after ${done.slice(-8).join(", ")}`, { cause: error });
        }
      }
      assert.deepEqual(h.errors.filter((error) => !(error instanceof SvcError)), []);
    } finally {
      await h.close();
    }
  });
}
