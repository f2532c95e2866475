/**
 * The runtime settings of a model that the scheduler uses.
 *
 * @module
 */

/** Settings that decide how long a model stays loaded. */
export interface ResidencySettings {
  /** Keeps it loaded despite idleness and memory pressure; it can still be unloaded explicitly. */
  readonly pinned: boolean;
  /** Seconds without a request after which it is unloaded. */
  readonly ttlSeconds?: number;
}

/** Returns the current settings of a model; called whenever they matter. */
export type ReadSettings = (model: string) => ResidencySettings;

/** Whether a model last used at `lastAccess` has been idle for `ttlSeconds` at `now`; times in milliseconds. */
export function isExpired(lastAccess: number, now: number, ttlSeconds: number | undefined): boolean {
  return ttlSeconds !== undefined && now - lastAccess >= ttlSeconds * 1000;
}
