/**
 * Goes through rollouts page by page, and counts those that have not ended: a batch may be larger than the memory of a
 * gateway.
 *
 * @module
 */
import type { NatsBatches, RolloutPage } from "../nats/nats_batches.ts";
import { insist } from "../protocol/compare_and_set.ts";
import type { ClusterClock } from "../protocol/broker.ts";
import { hasEnded, rolloutKey, type RolloutRecord } from "../protocol/rollout_records.ts";

/** Milliseconds during which the request for a page is repeated when the broker does not answer. */
const ANSWER_WITHIN = 20_000;

/** What it works with. */
export interface EachRolloutOptions {
  readonly broker: Pick<NatsBatches, "page">;
  readonly clock: ClusterClock;
  readonly signal: AbortSignal;
}

/** Pages of the rollouts of a tenant, or of one of its datasets, from a place on. */
async function* eachPage(
  { broker, clock, signal }: EachRolloutOptions,
  tenant: string,
  { dataset, from = 1 }: { readonly dataset?: string | undefined; readonly from?: number } = {},
): AsyncGenerator<RolloutPage, void, void> {
  for (let next: number | undefined = from; next !== undefined;) {
    const at: number = next;
    const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN)]);
    const page = await insist(clock, () => broker.page(at, tenant, dataset), within);
    yield page;
    next = page.isLast ? undefined : page.next;
  }
}

/** The rollouts of a tenant, or of one of its datasets; one that changes meanwhile comes twice, one that has ended once. */
export async function* eachRollout(
  options: EachRolloutOptions,
  tenant: string,
  dataset?: string,
): AsyncGenerator<RolloutRecord, void, void> {
  for await (const { records } of eachPage(options, tenant, { dataset })) yield* records;
}

/** Continues from its last count: a tenant may have a million rollouts that have ended. */
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
