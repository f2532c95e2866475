/**
 * Who asks a gateway.
 *
 * @module
 */
import type { TenantQuota } from "./tenant_use.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";

/** Some of the clients of a fleet: they share worlds, rollouts and a quota, and see nothing of others. */
export interface Tenant {
  readonly name: string;
  /** SHA-256 of its keys. */
  readonly keys: readonly Uint8Array[];
  readonly quota: TenantQuota;
}

/** Who has the worlds of a fleet without tenants. */
export const DEFAULT_TENANT = "default";

/** The world that paths without an id mean, in a fleet without tenants. */
export const DEFAULT_WORLD = "00000000-0000-4000-8000-000000000000";

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
