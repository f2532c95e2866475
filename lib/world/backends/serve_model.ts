/**
 * The worker's side of a model: calls arrive as messages.
 *
 * @module
 */
import { carryError } from "../../errors/carried_error.ts";
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import type { ChainCall, ModelCall, ModelMessage, ModelPort, ModelProgress, ModelReply } from "./model_protocol.ts";
import type { PortableChain } from "../../models/world/world_model.ts";

/** A model of any kind: the input of a generation is passed through unchanged. */
export interface ServedModel<Request> extends PortableChain {
  /** See `WorldModel.generate` and `ClipModel.generate`. */
  generate(request: Request, options: GenerateOptions): Promise<RgbFrames>;
  /** Another chain on the same engine. */
  openChain(): ServedModel<Request>;
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ModelProgress) => void;
}

interface GenerateOptions extends CallOptions {
  readonly onFrames: (frames: RgbFrames) => void;
}

/**
 * Answers the calls that arrive at a worker's port; replies carry the id of their call.
 *
 * @param open Creates the model from the settings, which arrive first.
 */
export function serveModel<Settings, Request>(
  port: ModelPort<ModelReply, ModelMessage<Settings>>,
  open: (settings: Settings) => ServedModel<Request>,
): void {
  const running = new Map<number, AbortController>();
  const chains = new Map<number, ServedModel<Request>>();
  let model: ServedModel<Request> | undefined;
  port.onMessage((message) => {
    if (message.call === "open") model = open(message.settings);
    else if (message.call === "abort") running.get(message.id)?.abort();
    else if (model) void answer(chainOf(model, message), message);
  });

  function chainOf(model: ServedModel<Request>, { chain, call }: ChainCall): ServedModel<Request> {
    const found = chains.get(chain) ?? (chains.size === 0 ? model : model.openChain());
    if (call === "unload") chains.delete(chain);
    else chains.set(chain, found);
    return found;
  }

  async function answer(
    model: ServedModel<Request>,
    message: { readonly id: number } & ChainCall,
  ): Promise<void> {
    const { id } = message;
    const abort = new AbortController();
    running.set(id, abort);
    const options = {
      signal: abort.signal,
      onProgress: (progress: ModelProgress) => port.postMessage({ id, kind: "progress", progress }),
    };
    try {
      if (message.call === "generate") await generate(model, id, message.request as Request, options);
      else port.postMessage({ id, kind: "result", result: await perform(model, message, options) });
    } catch (error) {
      port.postMessage({ id, kind: "error", error: carryError(error) });
    } finally {
      running.delete(id);
    }
  }

  async function generate(
    model: ServedModel<Request>,
    id: number,
    request: Request,
    options: CallOptions,
  ): Promise<void> {
    let isSent = false;
    const frames = await model.generate(request, {
      ...options,
      onFrames: (part) => {
        isSent = true;
        // A part is a view of memory that the model keeps writing to.
        const frames = { ...part, data: part.data.slice() };
        port.postMessage({ id, kind: "frames", frames }, buffersOf(frames));
      },
    });
    if (isSent) port.postMessage({ id, kind: "result", result: undefined });
    else port.postMessage({ id, kind: "result", result: frames }, buffersOf(frames));
  }
}

type OtherCall = Exclude<ModelCall, { readonly call: "generate" }>;

function perform(model: PortableChain, call: OtherCall, options: CallOptions): Promise<unknown> {
  switch (call.call) {
    case "prepare":
      return model.prepare({ ...options, geometry: call.geometry });
    case "begin":
      return model.begin(call.image, call.geometry);
    case "snapshot":
      return model.snapshot();
    case "restore":
      return model.restore(call.snapshot);
    case "release":
      return model.release(call.snapshot);
    case "export":
      return model.exportState(call.snapshot);
    case "import":
      return model.importState(call.state);
    case "drop":
      return model.drop();
    case "unload":
      return model.unload();
  }
}

/** Frames are transferred, so their memory moves to the session instead of being copied. */
function buffersOf({ data: { buffer } }: RgbFrames): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
