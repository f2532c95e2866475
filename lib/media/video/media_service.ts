/**
 * What {@link openMedia} asks of its worker.
 *
 * @module
 */
import type { Method } from "../../platform/rpc/rpc_service.ts";
import type { Media } from "./media.ts";

/** The calls of the worker. */
export type MediaCall = Exclude<keyof Media, "close">;

/** The methods of {@link Media}, each with the name of the only encoder to use before its own arguments. */
export type MediaService = {
  readonly [C in MediaCall]: Method<
    readonly [encoder: string | undefined, ...Parameters<Media[C]>],
    Awaited<ReturnType<Media[C]>>
  >;
};
