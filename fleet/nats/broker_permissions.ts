/**
 * What the users of a fleet may do in its NATS server: each role what it needs, and no more.
 *
 * @module
 */
import { JOURNALS, NAMES } from "./layout.ts";

/** The users: a gateway, a worker, and whoever lays the fleet out and looks after it. */
export const BROKER_ROLES = ["gateway", "worker", "operator"] as const;

/** One of them. */
export type BrokerRole = typeof BROKER_ROLES[number];

/** Subjects that a user may publish and subscribe; it gets answers below `inbox` only, which others cannot read. */
export interface BrokerPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** What a user's answers come under: with that of NATS, `_INBOX`, one role could read the answers of another. */
export function inboxOf(user: string): string {
  return `_INBOX_${user.replaceAll(/[^A-Za-z0-9_-]/g, "_")}`;
}

const API = "$JS.API";

/** Batch rollouts: a bucket, a store of files and a work queue. */
const ROLLOUTS = { bucket: "svc_rollouts", files: "svc_rollout_files", tickets: "SVC_ROLLOUTS" } as const;

const read = (stream: string): string[] => [
  `${API}.DIRECT.GET.${stream}`,
  `${API}.DIRECT.GET.${stream}.>`,
  `${API}.STREAM.MSG.GET.${stream}`,
];
const follow = (stream: string): string[] => [
  ...read(stream),
  `${API}.CONSUMER.CREATE.${stream}.>`,
  `${API}.CONSUMER.INFO.${stream}.*`,
  `${API}.CONSUMER.DELETE.${stream}.*`,
  `$JS.FC.${stream}.>`,
];
const take = (stream: string): string[] => [
  `${API}.CONSUMER.CREATE.${stream}.>`,
  `${API}.CONSUMER.INFO.${stream}.*`,
  `${API}.CONSUMER.MSG.NEXT.${stream}.*`,
  `$JS.ACK.${stream}.>`,
];
const files = (store: string): string[] => [
  ...follow(`OBJ_${store}`),
  `${API}.STREAM.PURGE.OBJ_${store}`,
  `$O.${store}.>`,
];
const journals = Array.from({ length: JOURNALS }, (_, number) => `SVC_JOURNAL_${number}`);
const shared = [
  `${API}.INFO`,
  `${API}.STREAM.INFO.*`,
  ...read(`KV_${NAMES.workers}`),
  ...read(`KV_${NAMES.sessions}`),
  ...follow(`KV_${ROLLOUTS.bucket}`),
  ...files(ROLLOUTS.files),
  // Either may move a session in the line, and end one for good.
  `$KV.${NAMES.sessions}.*`,
  "svc.place.*",
  "svc.displaced.*",
  ...journals.map((journal) => `${API}.STREAM.PURGE.${journal}`),
  `$KV.${ROLLOUTS.bucket}.>`,
  "svc.rollout.*",
];

/** Registers nobody, takes no ticket, reads and writes no journal and no state of a world. */
const gateway = [
  ...shared,
  ...follow(`KV_${NAMES.workers}`),
  ...follow(`KV_${NAMES.sessions}`),
  ...read(`KV_${NAMES.tenants}`),
  `$KV.${NAMES.tenants}.*`,
  `${API}.STREAM.PURGE.KV_${ROLLOUTS.bucket}`, // a dataset goes at once
];

/** Makes and removes no stream, and asks nobody to leave. */
const worker = [
  ...shared,
  ...follow(`KV_${NAMES.control}`),
  `$KV.${NAMES.workers}.*`,
  ...take(NAMES.tickets),
  ...take(NAMES.displaced),
  ...take(ROLLOUTS.tickets),
  ...journals.flatMap(read),
  "svc.journal.*.*",
  ...files(NAMES.blobs),
];
const operator = [`${API}.>`, "$JS.ACK.>", "$JS.FC.>", "$KV.>", "$O.>", "svc.>"];

/** The permissions of a role. */
export function permissionsOf(role: BrokerRole): BrokerPermissions {
  const publish = { gateway, worker, operator }[role];
  return { publish: [...new Set(publish)], subscribe: [`${inboxOf(role)}.>`] };
}
