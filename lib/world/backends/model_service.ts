/**
 * What a session asks of the worker of its model: the methods of its chains, each with the number of a chain before its
 * own arguments. Chains exist from their first call to their `unload`.
 *
 * @module
 */
import type { RgbFrames } from "../../media/images/rgb_image.ts";
import type { ClipProgress } from "../../models/world/clip_model.ts";
import type {
  BlockProgress,
  EarlyFrames,
  Geometry,
  PortableChain,
  PrepareProgress,
  WorldModelInfo,
} from "../../models/world/world_model.ts";
import type { Method } from "../../platform/rpc/rpc_service.ts";

/** The methods of a chain that take plain values; the other two, `prepare` and `generate`, say how far they are. */
export const CHAIN_METHODS = [
  "begin",
  "distance",
  "snapshot",
  "restore",
  "release",
  "exportState",
  "importState",
  "drop",
  "unload",
] as const;

/** One of {@linkcode CHAIN_METHODS}. */
export type ChainMethod = typeof CHAIN_METHODS[number];

/** The progress of a call. */
export type ModelProgress = BlockProgress | ClipProgress | PrepareProgress;

/** What a call says before its answer. */
export type ModelEvent =
  | { readonly kind: "progress"; readonly progress: ModelProgress }
  | { readonly kind: "frames"; readonly frames: RgbFrames };

/** The calls about chains. */
export type ChainService =
  & {
    readonly [M in ChainMethod]: Method<
      readonly [chain: number, ...Parameters<PortableChain[M]>],
      Awaited<ReturnType<PortableChain[M]>>
    >;
  }
  & {
    readonly prepare: Method<readonly [chain: number, geometry?: Geometry], WorldModelInfo, ModelEvent>;
    /** The answer does not repeat frames that were sent before, and is undefined then. */
    readonly generate: Method<
      readonly [chain: number, request: unknown, early?: EarlyFrames],
      RgbFrames | undefined,
      ModelEvent
    >;
  };

/** All calls: first `open` with the settings that the model is created from. */
export type ModelService<Settings> = ChainService & { readonly open: Method<readonly [Settings]> };
