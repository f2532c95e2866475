/**
 * Goes through rollouts page by page: a dataset may be larger than the memory of a gateway.
 *
 * @module
 */
import type { NatsRollouts, RolloutPage } from "../nats/nats_rollouts.ts";
import { insist } from "../protocol/compare_and_set.ts";
import type { ClusterClock } from "../protocol/broker.ts";
import type { RolloutRecord } from "./rollout_records.ts";

/** Milliseconds in which the broker is asked for a page again when it does not answer. */
const ANSWER_WITHIN = 20_000;

/** What it works with. */
export interface EachRolloutOptions {
  readonly broker: Pick<NatsRollouts, "page">;
  readonly clock: ClusterClock;
  readonly signal: AbortSignal;
}

/** Pages of the rollouts of a tenant, or of one of its datasets, from a place on. */
export async function* eachPage(
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
