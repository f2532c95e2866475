/**
 * The model's chain of a session, and what the session becomes without it.
 *
 * @module
 */
import { SvcError } from "../../errors/svc_error.ts";
import type { Geometry } from "../../models/world/world_model.ts";
import { untilAborted } from "../protocol/abortable_wait.ts";
import { DEFAULT_FRAMES } from "../protocol/requests/transition_request.ts";
import { type SessionState, stateAtSource } from "./graph/session_state.ts";
import type { Continuity } from "./journal/session_image.ts";
import { isModelGone } from "./rollback.ts";
import type { SessionCore } from "./session_core.ts";

/** Errors of a state that this machine can never make again. */
const CANNOT_BE_MADE: ReadonlySet<string> = new Set(["state_invalid", "size_exceeds_memory"]);

/** Keeps the graph of a session true to what its model still has. */
export class SessionChain {
  readonly #core: SessionCore;
  #parking: Promise<void> | undefined;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /**
   * Loads and warms up the model, and restores the chain.
   *
   * @param size Of the moves that will follow: that of the world by default, else the model's own.
   * @param closing Ends the wait at once, and the work when it can.
   * @param leaving Ends the work when it can, and the wait with it.
   */
  load(
    size: { readonly [side in keyof Geometry]?: number | undefined },
    closing: AbortSignal,
    leaving?: AbortSignal,
  ): Promise<void> {
    const signal = leaving ? AbortSignal.any([closing, leaving]) : closing;
    return untilAborted(closing, this.#load(size, { signal }));
  }

  async #load(
    size: { readonly [side in keyof Geometry]?: number | undefined },
    waiting: { readonly signal: AbortSignal },
  ): Promise<void> {
    const { model, navigation, options: { roots, memory } } = this.#core;
    await model.prepare(waiting, async () => {
      const { defaults } = await roots();
      const { width = defaults.width, height = defaults.height } = navigation.state.geometry ?? size;
      const [atLeastWide, atLeastHigh] = [width ?? memory?.unit, height ?? memory?.unit];
      if (atLeastWide && atLeastHigh) {
        const planned = { width: atLeastWide, height: atLeastHigh, frames: DEFAULT_FRAMES };
        await model.admit("prepare the session", planned);
      }
      return width && height ? { width, height } : undefined;
    });
    await this.wake(waiting.signal);
  }

  /** Gives the memory of the chain back while nobody uses the session; returns whether it has. */
  async park(): Promise<boolean> {
    const { keeper, guard } = this.#core;
    if (!keeper?.isAwake || guard.isBusy || this.#parking) return false;
    this.#parking = keeper.park().finally(() => this.#parking = undefined);
    return await this.#parking.then(() => true, () => false); // a disk that is full cannot take it
  }

  /** While the session is being parked: resolves when it is, and never rejects. */
  get parking(): Promise<unknown> | undefined {
    return this.#parking?.catch(() => {});
  }

  /** Whether the model has a chain of the session. */
  get holdsMemory(): boolean {
    const { keeper, model, navigation } = this.#core;
    return keeper ? keeper.isAwake : model.loaded && navigation.state.depth > 0;
  }

  /** Restores the chain of a session that was restored; where that fails, it continues from its image. */
  async wake(signal: AbortSignal): Promise<Continuity> {
    const { keeper, model, navigation, options, events } = this.#core;
    const { depth, geometry } = navigation.state;
    try {
      const frames = depth > 0 && keeper?.longestClip;
      if (frames && geometry) await model.admit("restore the world", { ...geometry, frames });
      await keeper?.wake(model.record, depth > 0, signal);
      return "exact";
    } catch (error) {
      if (!(error instanceof SvcError && CANNOT_BE_MADE.has(error.code))) throw error;
      options.onEvent?.({ level: "error", event: "world_from_picture", detail: { error } });
      keeper?.fallBack();
      await navigation.leaveFor(this.#atPicture());
      events.notify({ event: "snapshot" });
      return "picture";
    }
  }

  /** Releases the model with its chain and the checkpoints: the session continues from its current image. */
  async release(): Promise<void> {
    await this.#core.navigation.leaveFor(this.#atPicture());
    await this.#core.model.unload();
  }

  /**
   * Where an error means that the model has ended, ends its use: what is kept is made again by the next model, and what
   * is not, ends with this one.
   */
  async leaveIfGone(error: unknown): Promise<void> {
    if (!isModelGone(error)) return;
    await this.leave().catch(() => {}); // nothing is left to release if this fails too
  }

  /** The model has ended by itself. */
  async leave(): Promise<void> {
    const { keeper, model, navigation } = this.#core;
    if (!keeper) return await this.release();
    await model.unload(() => keeper.leave(navigation.state.depth > 0));
  }

  /** A new world from the picture that is shown. */
  #atPicture(): SessionState {
    const { navigation, options } = this.#core;
    const { frame, depth, transitions } = navigation.state;
    return depth > 0 && frame ? stateAtSource(options.newId(), frame, transitions) : navigation.state;
  }
}
