/**
 * Counts the rollouts of tenants that have not ended.
 *
 * @module
 */
import { hasEnded, rolloutKey } from "./rollout_records.ts";
import { eachPage, type EachRolloutOptions } from "./each_rollout.ts";

/** Goes on where it counted last: a tenant may have a million rollouts that have ended. */
export class OpenRollouts {
  readonly #seen = new Map<string, { readonly keys: Set<string>; next: number }>();

  /**
   * Rollouts of a tenant that wait or run. Those that were removed since the last exact count may be among them.
   *
   * @param isExact Looks at all of them.
   */
  async count(options: EachRolloutOptions, tenant: string, isExact: boolean): Promise<number> {
    const known = isExact ? undefined : this.#seen.get(tenant);
    const seen = known ?? { keys: new Set(), next: 1 };
    for await (const { records, next } of eachPage(options, tenant, { from: seen.next })) {
      for (const record of records) {
        if (hasEnded(record)) seen.keys.delete(rolloutKey(record));
        else seen.keys.add(rolloutKey(record));
      }
      seen.next = next;
    }
    this.#seen.set(tenant, seen);
    return seen.keys.size;
  }
}
