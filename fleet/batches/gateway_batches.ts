/**
 * Batches of rollouts over HTTP, which calls a batch a dataset.
 *
 * @module
 */
import type { NatsBatches } from "../nats/nats_batches.ts";
import { insist } from "../protocol/compare_and_set.ts";
import { conflict, invalidRequest, notFound, SvcError } from "../../lib/errors/svc_error.ts";
import {
  hasEnded,
  type RolloutBroker,
  RolloutConflict,
  type RolloutRecord,
  submitRollout,
} from "../protocol/rollout_records.ts";
import { BrokerRefusal, type ClusterClock } from "../protocol/broker.ts";
import { essence, readBody, wrongContentType } from "../../lib/http/request_body.ts";
import type { Route, RouteCall } from "../../lib/http/router.ts";
import { MAX_IMAGE_BYTES } from "../../lib/media/images/image_format.ts";
import { sha256 } from "../../lib/world/session/journal/chain_node.ts";
import { FLEET_NAME } from "../../servers/flags/fleet_flags.ts";
import type { GatewayTenants } from "../tenants/gateway_tenants.ts";
import { eachRollout, type EachRolloutOptions, OpenRollouts } from "./each_rollout.ts";
import { removeBatch } from "./remove_batch.ts";
import { ITEM, MAX_SPECS, type ReadSpec, readSpecs } from "./read_specs.ts";

/** What the routes work with. */
interface GatewayBatchesOptions {
  readonly broker:
    & Pick<RolloutBroker, "rollouts" | "tickets">
    & Pick<NatsBatches, "files" | "page" | "most" | "all" | "clear">;
  readonly clock: ClusterClock;
  /** Where rollouts go that name no pool. */
  readonly pool: string;
  readonly tenants: Pick<GatewayTenants, "of" | "submitRollouts">;
}

const AT = "/v1/rollouts/:dataset";
const NDJSON = "application/x-ndjson";

/** Bytes of the specs of one request, and rollouts that are submitted at a time. */
const MAX_BODY = 8 * 2 ** 20;
const AT_A_TIME = 16;

/** Failed rollouts that a status names. */
const MAX_NAMED = 100;

/** Milliseconds that the broker may take to store the rollouts of one request. */
const SUBMIT_WITHIN = 60_000;

/** Milliseconds in which a dataset is deleted; files that are left then go with `svc cluster collect`. */
const REMOVE_WITHIN = 240_000;

/** Milliseconds in which the broker is asked again when it does not answer. */
const ANSWER_WITHIN = 20_000;

/** The routes of rollouts. */
export function batchRoutes(options: GatewayBatchesOptions): Route[] {
  const open = new OpenRollouts();
  return [
    { method: "POST", path: AT, handle: (call) => submit(options, open, call) },
    { method: "GET", path: AT, handle: (call) => status(options, call) },
    { method: "DELETE", path: AT, handle: (call) => remove(options, call) },
    { method: "GET", path: `${AT}/results`, handle: (call) => results(options, call) },
    { method: "POST", path: `${AT}/sources`, handle: (call) => addSource(options, call) },
    { method: "GET", path: `${AT}/items/:item/video`, handle: (call) => file(options, call, "video") },
    { method: "GET", path: `${AT}/items/:item/frame`, handle: (call) => file(options, call, "frame") },
  ];
}

async function submit(
  { broker, clock, pool, tenants }: GatewayBatchesOptions,
  open: OpenRollouts,
  call: RouteCall,
): Promise<Response> {
  const { request } = call;
  const dataset = datasetOf(call);
  const type = request.headers.get("content-type");
  if (![NDJSON, "application/jsonl"].includes(essence(type))) throw wrongContentType(type, NDJSON);
  const { searchParams } = new URL(request.url);
  const first = Number(searchParams.get("first_line") ?? 1);
  if (!Number.isSafeInteger(first) || first < 1) {
    throw invalidRequest("invalid_rollout_spec", "Cannot take the specs: first_line is no line, expected 1 or more");
  }
  const to = searchParams.get("pool") ?? pool;
  if (!FLEET_NAME.test(to)) throw invalidName("pool");
  const specs = readSpecs(new TextDecoder().decode(await readBody(request, MAX_BODY)), first);
  for (const { source, line } of specs) {
    if (source === undefined || /^[0-9a-f]{64}$/.test(source)) continue;
    const message = `Cannot use line ${line} of the specs: its source is no SHA-256 of an image that was uploaded`;
    throw invalidRequest("invalid_rollout_spec", message);
  }
  const tenant = await tenants.of(request);
  const at = { broker, clock, signal: request.signal };
  const end = await tenants.submitRollouts(tenant, async (isExact) => {
    const isSmall = await within(clock, request, () => broker.most()) + specs.length <= MAX_SPECS;
    const fresh = isExact || !isSmall ? await countFresh(at, tenant.name, dataset, specs) : specs.length;
    const isLimited = tenant.quota.rollouts !== undefined;
    return { fresh, open: isLimited ? await open.count(at, tenant.name, isExact) : 0 };
  });
  let added = 0;
  try {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(SUBMIT_WITHIN)]);
    for (let i = 0; i < specs.length; i += AT_A_TIME) {
      const isNew = await Promise.all(
        specs.slice(i, i + AT_A_TIME).map(async (spec) => {
          const { item, source, request: body } = spec;
          const text = JSON.stringify({ ...body, ...(source !== undefined && { source }) });
          const record: RolloutRecord = {
            tenant: tenant.name,
            dataset,
            item,
            pool: to,
            spec: text,
            phase: "waiting",
            generation: Math.floor(clock.now()),
            attempt: 0,
          };
          return await submitRollout({ broker, clock, signal }, record).catch((error) => {
            throw refused(error, spec.line);
          });
        }),
      );
      added += isNew.filter(Boolean).length;
    }
  } finally {
    await end().catch(() => {}); // else it is forgotten two minutes later
  }
  return Response.json({ object: "rollout.submission", dataset, added, known: specs.length - added }, { status: 202 });
}

/** How many of some specs a dataset does not have. @throws {SvcError} `invalid_rollout_spec` where it cannot take them. */
async function countFresh(
  at: EachRolloutOptions,
  tenant: string,
  dataset: string,
  specs: readonly ReadSpec[],
): Promise<number> {
  const names = new Set<string>();
  for await (const { item } of eachRollout(at, tenant, dataset)) names.add(item);
  const fresh = specs.filter(({ item }) => !names.has(item)).length;
  if (names.size + fresh <= MAX_SPECS) return fresh;
  const message = `Cannot submit ${specs.length} rollouts: a dataset has at most ${MAX_SPECS}, use another one`;
  throw invalidRequest("invalid_rollout_spec", message);
}

async function status(options: GatewayBatchesOptions, call: RouteCall): Promise<Response> {
  const dataset = datasetOf(call);
  const phases = new Map<string, RolloutRecord["phase"]>();
  const failures: { readonly item: string; readonly reason?: string; readonly attempts: number }[] = [];
  for await (const { item, phase, reason, attempt } of await recordsOf(options, call.request, dataset)) {
    phases.set(item, phase);
    if (phase !== "failed" || failures.length >= MAX_NAMED) continue;
    failures.push({ item, ...(reason !== undefined && { reason }), attempts: attempt });
  }
  const counts = { waiting: 0, running: 0, done: 0, failed: 0 };
  for (const phase of phases.values()) counts[phase]++;
  return Response.json({ object: "rollout.dataset", dataset, rollouts: phases.size, ...counts, failures });
}

async function remove(options: GatewayBatchesOptions, call: RouteCall): Promise<Response> {
  const { broker, clock, tenants } = options;
  const dataset = datasetOf(call);
  const { name: tenant } = await tenants.of(call.request);
  const records = await recordsOf(options, call.request, dataset);
  const signal = AbortSignal.any([call.request.signal, AbortSignal.timeout(REMOVE_WITHIN)]);
  const { removed, files, bytes } = await removeBatch({ broker, clock, tenant, dataset, signal }, records);
  return Response.json({ object: "rollout.deletion", dataset, removed, files, bytes });
}

async function results(options: GatewayBatchesOptions, call: RouteCall): Promise<Response> {
  const records = await recordsOf(options, call.request, datasetOf(call));
  const headers = { "content-type": NDJSON };
  if (call.request.method === "HEAD") return new Response(null, { headers });
  return new Response(resultLines(records), { headers });
}

async function addSource({ broker, clock, tenants }: GatewayBatchesOptions, call: RouteCall): Promise<Response> {
  datasetOf(call);
  await tenants.of(call.request);
  const type = call.request.headers.get("content-type");
  if (!/^(image\/|application\/octet-stream$)/.test(essence(type))) throw wrongContentType(type, "image/png");
  const bytes = await readBody(call.request, MAX_IMAGE_BYTES);
  if (bytes.length === 0) throw invalidRequest("invalid_rollout_spec", "Cannot take the source: it is empty");
  const hash = await sha256(bytes);
  await within(clock, call.request, () => broker.files.put(hash, bytes));
  return Response.json({ object: "rollout.source", sha256: hash, size: bytes.length }, { status: 201 });
}

async function file(
  { broker, clock, tenants }: GatewayBatchesOptions,
  call: RouteCall,
  which: "video" | "frame",
): Promise<Response> {
  const dataset = datasetOf(call);
  const item = call.part("item");
  const { name } = await tenants.of(call.request);
  const key = `${name}.${dataset}.${item}`;
  const entry = ITEM.test(item) ? await within(clock, call.request, () => broker.rollouts.get(key)) : undefined;
  const made = entry?.value.result?.[which];
  if (!made) throw notFound("rollout_not_found", "Cannot find this file: there is no such rollout, or it is not done");
  const type = which === "video" ? "video/mp4" : "image/png";
  const headers = { "content-type": type, "content-length": String(made.size), etag: `"${made.sha256}"` };
  if (call.request.method === "HEAD") return new Response(null, { headers });
  const bytes = await within(clock, call.request, () => broker.files.get(made.sha256));
  if (!bytes) throw notFound("rollout_not_found", "Cannot find this file: the fleet has lost it");
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}

/** Asks the broker again where it does not answer, for a while. */
function within<T>(clock: ClusterClock, { signal }: Request, work: () => Promise<T>): Promise<T> {
  return insist(clock, work, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN)]));
}

function datasetOf(call: RouteCall): string {
  const dataset = call.part("dataset");
  if (!FLEET_NAME.test(dataset)) throw invalidName("dataset");
  return dataset;
}

/** The rollouts of a dataset. @throws {SvcError} `rollout_not_found` when there are none. */
async function recordsOf(
  { broker, clock, tenants }: GatewayBatchesOptions,
  request: Request,
  dataset: string,
): Promise<AsyncGenerator<RolloutRecord, void, void>> {
  const { name } = await tenants.of(request);
  const records = eachRollout({ broker, clock, signal: request.signal }, name, dataset);
  const first = await records.next();
  if (first.done) {
    throw notFound("rollout_not_found", "Cannot find this dataset: the fleet has no rollouts of this name");
  }
  return (async function* () {
    yield first.value;
    yield* records;
  })();
}

function refused(error: unknown, line: number): unknown {
  if (error instanceof RolloutConflict) {
    return conflict("rollout_conflict", `${error.message}, change the id in line ${line} or use another dataset`);
  }
  if (!(error instanceof BrokerRefusal && error.reason === "full")) return error;
  const message = `Cannot submit line ${line}: as many rollouts wait as the fleet takes, submit the same file later`;
  return new SvcError("rollout_line_full", message);
}

function invalidName(what: string): SvcError {
  const message = `Cannot use this name of a ${what}: expected 1 to 63 lower-case letters, digits and inner hyphens`;
  return invalidRequest("invalid_rollout_spec", message);
}

/** Characters of results that are handed on at a time. */
const PART = 64 * 1024;

/** One JSON object per line for each rollout that has ended; read as the client consumes them. */
function resultLines(records: AsyncGenerator<RolloutRecord, void, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      let text = "";
      while (text.length < PART) {
        const { done, value } = await records.next();
        if (!done && hasEnded(value)) text += lineOf(value);
        if (!done) continue;
        if (text !== "") stream.enqueue(encoder.encode(text));
        return stream.close();
      }
      stream.enqueue(encoder.encode(text));
    },
    async cancel() {
      await records.return();
    },
  }, { highWaterMark: 0 });
}

function lineOf({ item, phase, attempt, result, reason }: RolloutRecord): string {
  return `${JSON.stringify({ item, phase, attempts: attempt, ...result, ...(reason !== undefined && { reason }) })}\n`;
}
