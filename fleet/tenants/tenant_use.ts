/**
 * What gateways tell each other of the tenants of a fleet, so that they keep one quota together.
 *
 * @module
 */

/** What a tenant may have and do; undefined is without limit. */
export interface TenantQuota {
  /** Worlds at the same time, parked ones and the default one included. */
  readonly worlds?: number | undefined;
  /** Worlds that wait for a worker at the same time. */
  readonly waiting?: number | undefined;
  /** Moves within a minute. */
  readonly moves_per_minute?: number | undefined;
  /** Batch rollouts that wait or run at the same time. */
  readonly rollouts?: number | undefined;
}

/** What a tenant does now that the other records of the fleet do not show yet. */
export interface TenantUse {
  /** Another one at every change: whoever wrote it knows it again. */
  readonly stamp: string;
  /** Worlds that were opened of late, with the time in milliseconds since 1970: not every gateway has heard of them. */
  readonly opening: readonly { readonly id: string; readonly at: number }[];
  /** Submissions of rollouts that are on their way. */
  readonly submitting: readonly { readonly id: string; readonly count: number; readonly at: number }[];
  /** When the tenant has all moves of a minute again, in milliseconds since 1970. */
  readonly moves: number;
}

/** A tenant that has done nothing. */
export const NO_USE: TenantUse = { stamp: "", opening: [], submitting: [], moves: 0 };
