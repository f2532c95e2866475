/**
 * The tenant of a request, its quotas, and what gateways share about it, so that they enforce one quota
 * together.
 *
 * @module
 */
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";

/** Some of the clients of a fleet: they share worlds, rollouts and a quota, and see nothing of others. */
export interface Tenant {
  readonly name: string;
  /** SHA-256 of its keys. */
  readonly keys: readonly Uint8Array[];
  readonly quota: TenantQuota;
}

/** The tenant that has the worlds of a fleet without tenants. */
export const DEFAULT_TENANT = "default";

/** The world that paths without an id mean, in a fleet without tenants. */
const DEFAULT_WORLD = "00000000-0000-4000-8000-000000000000";

/** The world that paths without an id mean. */
export async function defaultWorldOf({ name }: Tenant): Promise<string> {
  return name === DEFAULT_TENANT ? DEFAULT_WORLD : await worldIdFrom(`default world of ${name}`);
}

/** The world that a key opens: the same one at every gateway, and another one for every tenant. */
export async function worldIdOf({ name }: Tenant, key: string): Promise<string> {
  return await worldIdFrom(name === DEFAULT_TENANT ? `world ${key}` : `world ${name} ${key}`);
}

async function worldIdFrom(text: string): Promise<string> {
  const hash = await sha256(new TextEncoder().encode(text));
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

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
  /** New at every change: lets the writer recognise its own entry. */
  readonly stamp: string;
  /** Worlds that were opened recently, in milliseconds since 1970: not every gateway has seen them yet. */
  readonly opening: readonly { readonly id: string; readonly at: number }[];
  /** Submissions of rollouts that are on their way. */
  readonly submitting: readonly { readonly id: string; readonly count: number; readonly at: number }[];
  /** When the tenant has all moves of a minute again, in milliseconds since 1970. */
  readonly moves: number;
}

/** A tenant that has done nothing. */
export const NO_USE: TenantUse = { stamp: "", opening: [], submitting: [], moves: 0 };
