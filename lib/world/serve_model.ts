/**
 * The worker's side of a model: calls come in as messages.
 *
 * @module
 */
import { carryError, type ModelCall, type ModelMessage, type ModelPort, type ModelReply } from "./model_protocol.ts";
import type { BlockProgress, PrepareProgress, WorldModel } from "../models/world_model.ts";

/**
 * Answers the calls that arrive at a worker's port; replies carry the id of their call.
 *
 * @param open Makes the model from the settings that come first.
 */
export function serveModel<Settings>(
  port: ModelPort<ModelReply, ModelMessage<Settings>>,
  open: (settings: Settings) => WorldModel,
): void {
  const running = new Map<number, AbortController>();
  let model: WorldModel | undefined;
  port.onMessage((message) => {
    if (message.call === "open") model = open(message.settings);
    else if (message.call === "abort") running.get(message.id)?.abort();
    else if (model) void answer(model, message);
  });

  async function answer(model: WorldModel, message: { readonly id: number } & ModelCall): Promise<void> {
    const { id } = message;
    const abort = new AbortController();
    running.set(id, abort);
    const onProgress = (progress: BlockProgress | PrepareProgress) =>
      port.postMessage({ id, kind: "progress", progress });
    try {
      const result = await perform(model, message, { signal: abort.signal, onProgress });
      port.postMessage({ id, kind: "result", result }, message.call === "generate" ? buffersOf(result) : []);
    } catch (error) {
      port.postMessage({ id, kind: "error", error: carryError(error) });
    } finally {
      running.delete(id);
    }
  }
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BlockProgress | PrepareProgress) => void;
}

function perform(model: WorldModel, call: ModelCall, options: CallOptions): Promise<unknown> {
  switch (call.call) {
    case "prepare":
      return model.prepare(options);
    case "begin":
      return model.begin(call.image, call.geometry);
    case "generate":
      return model.generate(call.request, options);
    case "snapshot":
      return model.snapshot();
    case "restore":
      return model.restore(call.snapshot);
    case "release":
      return model.release(call.snapshot);
    case "unload":
      return model.unload();
  }
}

/** Frames are given away, so their memory moves to the session instead of being copied. */
function buffersOf(frames: unknown): ArrayBuffer[] {
  const { buffer } = (frames as { data: Uint8Array }).data;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
