/**
 * A walk whose every block can be undone: one job, which leaves a state and an edge for each block.
 *
 * @module
 */
import { joinFrames, type RgbFrames } from "../../../media/images/rgb_image.ts";
import { cameraOfKeys } from "../../protocol/camera_keys.ts";
import type { RolloutRequest } from "../../protocol/requests/rollout_request.ts";
import { artifactNames } from "../artifacts.ts";
import type { MadeScene, PlannedRollout } from "../backend.ts";
import { isModelGone, ModelStateLost } from "../rollback.ts";
import { type AcceptContext, type AcceptedMove, rolloutReceipt, sceneOf } from "./accept_move.ts";
import { type SessionState, stateAfterMove } from "../graph/session_state.ts";
import { ChunkPublisher } from "./chunk_publisher.ts";
import type { Job } from "./job.ts";
import { type MoveStart, startMove } from "./move_start.ts";
import type { RunningWalk } from "./running_walk.ts";
import { blockMove } from "./walked_move.ts";

/**
 * Accepts a walk with one action a block. Each block is made on the state of the one before, as those of a rollout are;
 * what the caller has kept of them stays when the job is cancelled or fails, and all later ones are rolled back.
 *
 * @throws {SvcError} what `startMove` throws.
 */
export async function acceptWalk(
  request: RolloutRequest,
  walk: RunningWalk,
  context: AcceptContext,
): Promise<AcceptedMove> {
  const { backend, tools, files } = context;
  const start = await startMove(request, backend.rollout, context, (site) => backend.planRollout(request, site));
  const { kind, geometry, number, outputPath, fps, from, plan } = start;
  return {
    kind,
    generates: true,
    geometry,
    number,
    outputPath,
    run: async (job, settle) => {
      const maker = new BlockMaker(request.actions, walk, start, context, job);
      try {
        const { bytes, frames } = await maker.make();
        await walk.allKept(plan.chunks, job.signal);
        const { state, ...retained } = walk.last!; // a walk has at least one block
        const joined = await tools.media.joinChunks(bytes, { fps });
        await files.writeNew(outputPath, joined.bytes);
        const receipt = rolloutReceipt({ backend, job, from, to: state, frames, framePath: state.frame!.path }, start);
        await settle({ state, receipt });
        return { state, receipt, retained };
      } catch (error) {
        await maker.rollBack(error);
        throw error;
      }
    },
  };
}

/** Makes the blocks of a walk. */
class BlockMaker {
  readonly #actions: readonly string[];
  readonly #walk: RunningWalk;
  readonly #start: MoveStart<PlannedRollout>;
  readonly #context: AcceptContext;
  readonly #job: Job;
  /** The model's state before each block; undefined before the first of a new chain. */
  readonly #before: (number | undefined)[] = [];
  /** What each block has led to. */
  readonly #scenes: MadeScene[] = [];
  /** The files and folders of each block. */
  readonly #written: string[][] = [[]];
  #from: SessionState;

  constructor(
    actions: readonly string[],
    walk: RunningWalk,
    start: MoveStart<PlannedRollout>,
    context: AcceptContext,
    job: Job,
  ) {
    this.#actions = actions;
    this.#walk = walk;
    this.#start = start;
    this.#context = context;
    this.#job = job;
    this.#from = start.from;
  }

  /** Makes all of them, as far ahead of the caller as a rollout is. */
  async make(): Promise<ChunkPublisher> {
    const { tools: { model, media, deliver }, files } = this.#context;
    const { from, plan, geometry, kind, number, fps } = this.#start;
    if (from.depth === 0) await model.begin(from.frame!.image, geometry); // an accepted move has an image
    this.#before.push(from.depth > 0 ? await model.snapshot() : undefined);
    const names = artifactNames(number);
    const publisher = new ChunkPublisher({
      job: this.#job,
      media,
      fps,
      chunks: plan.chunks,
      chunkPath: (chunk) => files.statePath(names.chunk(kind, chunk)),
      keptPath: undefined,
      write: (path, bytes) => this.#write(path, bytes),
      deliver: async (chunk) => {
        await this.#finish(chunk.block, chunk.frames);
        await deliver?.(chunk);
      },
    });
    const onBlock = async (scene: MadeScene): Promise<void> => {
      this.#scenes.push(scene);
      if (this.#scenes.length < plan.chunks) this.#before.push(await model.snapshot());
    };
    await plan.generate(this.#job, publisher, onBlock).finally(() => publisher.finish().catch(() => {}));
    return publisher;
  }

  /** Writes what undoing a block needs; the block can be kept from now on. */
  async #finish(block: number, frames: RgbFrames): Promise<void> {
    const { tools: { media }, files, newId, nextNumber } = this.#context;
    const { geometry, fps, seed, number, kind } = this.#start;
    const from = this.#from;
    const names = artifactNames(block === 0 ? number : await nextNumber());
    const folder = files.statePath(names.kept);
    this.#written[block].push(folder);
    // A block ends, walked backwards, with the image that it began with.
    const whole = block === 0 ? frames : joinFrames([{ ...from.frame!.image, count: 1 }, frames]);
    const kept = { path: files.statePath(names.keptBlock(0)), count: whole.count };
    await this.#write(kept.path, whole.data);
    const size = 3 * geometry.width * geometry.height;
    const image = { ...geometry, data: frames.data.slice((frames.count - 1) * size) };
    const path = files.statePath(names.frame);
    await this.#write(path, await media.encodePng(image));
    const id = newId();
    const camera = cameraOfKeys(this.#actions[block]);
    const numFrames = whole.count - (from.depth > 0 ? 1 : 0);
    const edge = { id, camera, geometry, fps, numFrames, seed, replayReceipt: {}, source: sceneOf(from) };
    const chunk = files.statePath(artifactNames(number).chunk(kind, block));
    const scene = { ...this.#scenes[block], frame: { image, path }, geometry };
    const state = stateAfterMove(from, id, scene, edge, blockMove([scene.pose], fps, chunk));
    this.#walk.add({ state, id, edge: { modelState: this.#before[block], folder, frames: [kept] } });
    this.#from = state;
    this.#written.push([]);
  }

  /** Returns to the last block that was kept and removes what the later ones have left. */
  async rollBack(cause: unknown): Promise<void> {
    const { tools: { model }, files } = this.#context;
    const { number, kind, outputPath } = this.#start;
    const count = this.#walk.end();
    this.#job.dropChunks();
    const chunks = files.statePath(artifactNames(number).chunks(kind));
    const paths = [...this.#written.slice(count).flat(), ...count === 0 ? [chunks] : [], outputPath];
    await Promise.allSettled(paths.map((path) => files.remove(path)));
    if (isModelGone(cause)) return;
    const [before, ...later] = this.#before.slice(count);
    if (before !== undefined) {
      await model.restore(before).catch(() => {
        throw new ModelStateLost("Cannot restore the model's state after a failure", { cause });
      });
    }
    for (const state of [before, ...later]) if (state !== undefined) await model.release(state).catch(() => {});
    await this.#walk.arrive();
  }

  async #write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#context.files.writeNew(path, bytes);
    this.#written[this.#written.length - 1].push(path);
  }
}
