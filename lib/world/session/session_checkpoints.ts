/**
 * The checkpoints of a session: what is checked, made and given back for each.
 *
 * @module
 */
import { conflict, unsupportedForBackend } from "../../errors/svc_error.ts";
import { artifactNames } from "./artifacts.ts";
import type { Checkpoint } from "./graph/checkpoints.ts";
import { keepModelState } from "./rollback.ts";
import type { SessionCore } from "./session_core.ts";
import { checkpointRecord } from "./session_records.ts";
import type { CheckpointRecord } from "../protocol/wire.ts";

/** Works on the checkpoints; the session lets one caller change them at a time. */
export class SessionCheckpoints {
  readonly #core: SessionCore;

  constructor(core: SessionCore) {
    this.#core = core;
  }

  /**
   * Throws where the world model has none.
   *
   * @param action Follows "Cannot" in the message.
   * @throws {SvcError} `unsupported_for_backend`.
   */
  checkSupported(action: string): void {
    const { name, hasCheckpoints } = this.#core.options.backend;
    if (!hasCheckpoints) {
      throw unsupportedForBackend(action, `an ${name} has no checkpoints, use inverse moves instead`);
    }
  }

  /**
   * Saves the current state.
   *
   * @throws {SvcError} `session_cold`, `no_current_state`, `too_many_checkpoints`.
   */
  async create(name: string): Promise<CheckpointRecord> {
    this.#checkLoaded("create a checkpoint");
    const { navigation, options, id: sessionId } = this.#core;
    navigation.checkpoints.checkCapacity();
    const { backend, files, media, newId, clock } = options;
    const { state } = navigation;
    if (!state.frame) {
      const message = "Cannot create a checkpoint: the session has no image yet, upload a source first";
      throw conflict("no_current_state", message);
    }
    const framePath = files.statePath(artifactNames(await this.#core.nextNumber("checkpoint")).checkpoint);
    await files.writeNew(framePath, await media.encodePng(state.frame.image));
    const modelState = state.depth > 0 ? await backend.model.snapshot() : undefined;
    const created = { checkpointId: newId(), name, createdAt: clock().toISOString(), sessionId };
    const record = checkpointRecord(state, created);
    await navigation.addCheckpoint({ record, state, modelState, framePath });
    return record;
  }

  /** The checkpoints, oldest first. */
  list(): readonly CheckpointRecord[] {
    this.#checkLoaded("list the checkpoints");
    return this.#core.navigation.checkpoints.list().map((checkpoint) => checkpoint.record);
  }

  /**
   * One of them.
   *
   * @param action Follows "Cannot" in messages.
   * @throws {SvcError} `session_cold`, `checkpoint_not_found`, `unsupported_for_backend`.
   */
  get(action: string, id: string): Checkpoint {
    this.#checkLoaded(action);
    return this.#core.navigation.checkpoints.get(id);
  }

  /** Returns to one, which is kept. */
  async restore(id: string): Promise<void> {
    const { modelState, state } = this.get("restore a checkpoint", id);
    const { navigation, options: { backend: { model } } } = this.#core;
    if (modelState === undefined) return await navigation.goTo(state);
    const { before } = await keepModelState(model, navigation.state.depth > 0, async () => {
      await model.restore(modelState);
      await navigation.goTo(state);
    });
    if (before !== undefined) await model.release(before);
  }

  /** Deletes one; returns its record. */
  async delete(id: string): Promise<CheckpointRecord> {
    const checkpoint = this.get("delete a checkpoint", id);
    await this.#core.navigation.removeCheckpoint(checkpoint);
    return checkpoint.record;
  }

  #checkLoaded(action: string): void {
    this.checkSupported(action);
    const { keeper, model, navigation } = this.#core;
    // A session that was restored has its checkpoints before its model.
    if (model.loaded || keeper?.isAsleep || navigation.checkpoints.size > 0) return;
    throw conflict("session_cold", `Cannot ${action}: the session is not loaded, prepare it first`);
  }
}
