/**
 * What the pool reads of a model's runtime settings.
 *
 * @module
 */

/** Settings that decide how long a model stays loaded. */
export interface ResidencySettings {
  /** Keeps it through idleness and memory pressure; it can still be unloaded by name. */
  readonly pinned: boolean;
  /** Seconds without a request after which it is unloaded. */
  readonly ttlSeconds?: number;
}

/** The settings of a model now; asked anew whenever they count. */
export type ReadSettings = (model: string) => ResidencySettings;

/** Whether a model that was used last at `lastAccess` has been idle for `ttlSeconds` at `now`, both in milliseconds. */
export function isExpired(lastAccess: number, now: number, ttlSeconds: number | undefined): boolean {
  return ttlSeconds !== undefined && now - lastAccess >= ttlSeconds * 1000;
}
