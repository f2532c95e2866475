/**
 * The worker's side of a model.
 *
 * @module
 */
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import type { EarlyFrames, PortableChain } from "../../models/world/world_model.ts";
import type { RpcPort } from "../../platform/rpc/rpc_port.ts";
import { buffersIn, freeArray, Moved } from "../../platform/rpc/rpc_service.ts";
import { type Handlers, serveCalls, type ServedCall } from "../../platform/rpc/serve_calls.ts";
import {
  CHAIN_METHODS,
  type ChainMethod,
  type ChainService,
  type ModelEvent,
  type ModelProgress,
  type ModelService,
} from "./model_service.ts";

/** A model of any kind: the input of a generation is passed through unchanged. */
export interface ServedModel<Request> extends PortableChain {
  /** See `WorldModel.generate` and `ClipModel.generate`. */
  generate(request: Request, options: GenerateOptions): Promise<RgbFrames>;
  /** Another chain on the same engine. */
  openChain(): ServedModel<Request>;
}

interface GenerateOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ModelProgress) => void;
  readonly early?: EarlyFrames;
  readonly onFrames: (frames: RgbFrames) => void;
}

/**
 * Answers the calls that arrive at a worker's port.
 *
 * @param open Creates the model from the settings, which arrive first.
 */
export function serveModel<Settings, Request>(port: RpcPort, open: (settings: Settings) => ServedModel<Request>): void {
  const chains = new Map<number, ServedModel<Request>>();
  let model: ServedModel<Request> | undefined;

  function chainOf(chain: number): ServedModel<Request> {
    if (!model) throw new Error("Cannot call the model: it was not opened");
    const found = chains.get(chain) ?? (chains.size === 0 ? model : model.openChain());
    chains.set(chain, found);
    return found;
  }

  const passOn = (method: ChainMethod) => async (_call: unknown, chain: number, ...args: unknown[]) => {
    const found = chainOf(chain);
    if (method === "unload") chains.delete(chain);
    return new Moved(await (found[method] as (...args: unknown[]) => Promise<unknown>)(...args));
  };
  serveCalls<ModelService<Settings>>(port, {
    ...Object.fromEntries(CHAIN_METHODS.map((method) => [method, passOn(method)])) as unknown as Pick<
      Handlers<ChainService>,
      ChainMethod
    >,
    open: (_call, settings) => void (model = open(settings)),
    prepare: (call, chain, geometry) => chainOf(chain).prepare({ ...optionsOf(call), geometry }),
    generate: async (call, chain, request, early) => {
      let isSent = false;
      const frames = await chainOf(chain).generate(request as Request, {
        ...optionsOf(call),
        ...early && { early },
        onFrames: (part) => {
          isSent = true;
          // A view of a part of memory that the model keeps writing to is copied; all of it moves.
          const isWhole = part.data.byteLength === part.data.buffer.byteLength;
          const frames = isWhole ? part : { ...part, data: part.data.slice() };
          void call.tell({ kind: "frames", frames }, buffersIn(frames));
        },
      });
      if (!isSent) return new Moved(frames);
      freeArray(frames.data);
      return undefined;
    },
  });
}

function optionsOf(call: ServedCall<ModelEvent>): Pick<GenerateOptions, "signal" | "onProgress"> {
  return { signal: call.signal, onProgress: (progress) => void call.tell({ kind: "progress", progress }) };
}
