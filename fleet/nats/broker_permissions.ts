/**
 * What the users of a fleet may do in its NATS server: each role what it needs, and no more.
 *
 * This keeps a role that errs to its part; it does not hold one that is hostile. JetStream sends an answer to whatever
 * subject a request names, with rights of its own, so that whoever may read one message in an account can have it written
 * anywhere in that account. What holds is the account: those who do not trust each other have one each.
 *
 * @module
 */
import { JOURNALS, NAMES } from "./layout.ts";

/** The users: a gateway, a worker, and the operator, who sets up the fleet and manages it. */
export const BROKER_ROLES = ["gateway", "worker", "operator"] as const;

/** One of them. */
export type BrokerRole = typeof BROKER_ROLES[number];

/** The user that permissions are granted to. */
export interface BrokerUser {
  readonly role: BrokerRole;
  /** The pool of its account; any where the account has several. */
  readonly pool?: string | undefined;
  /** The one worker that has this user; any where workers share it. */
  readonly worker?: string | undefined;
}

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
const take = (stream: string, subject: string, pool: string | undefined): string[] => {
  const consumer = pool === undefined ? "*" : `pool-${pool}`;
  return [
    `${API}.CONSUMER.CREATE.${stream}.${consumer}.${subject}.${pool ?? "*"}`,
    `${API}.CONSUMER.INFO.${stream}.${consumer}`,
    `${API}.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
    `$JS.ACK.${stream}.${consumer}.>`,
  ];
};
const files = (store: string): string[] => [
  ...follow(`OBJ_${store}`),
  `${API}.STREAM.PURGE.OBJ_${store}`,
  `$O.${store}.>`,
];
const journals = Array.from({ length: JOURNALS }, (_, number) => `SVC_JOURNAL_${number}`);
const shared = (pool = "*"): string[] => [
  `${API}.INFO`,
  `${API}.STREAM.INFO.*`,
  ...read(`KV_${NAMES.workers}`),
  ...read(`KV_${NAMES.sessions}`),
  ...follow(`KV_${ROLLOUTS.bucket}`),
  ...files(ROLLOUTS.files),
  // Either may move a session in the queue, and end one permanently.
  `$KV.${NAMES.sessions}.*`,
  `svc.place.${pool}`,
  `svc.displaced.${pool}`,
  ...journals.map((journal) => `${API}.STREAM.PURGE.${journal}`),
  `$KV.${ROLLOUTS.bucket}.>`,
  `svc.rollout.${pool}`,
];

/** Registers no worker, takes no ticket, reads and writes no journal and no state of a world. */
const gateway = ({ pool }: BrokerUser): string[] => [
  ...shared(pool),
  ...follow(`KV_${NAMES.workers}`),
  ...follow(`KV_${NAMES.sessions}`),
  ...read(`KV_${NAMES.tenants}`),
  `$KV.${NAMES.tenants}.*`,
  `${API}.STREAM.PURGE.KV_${ROLLOUTS.bucket}`, // a dataset goes at once
];

/** Makes and removes no stream, and drains no worker. */
const worker = ({ pool, worker = "*" }: BrokerUser): string[] => [
  ...shared(pool),
  ...follow(`KV_${NAMES.control}`),
  `$KV.${NAMES.workers}.${worker}`,
  ...take(NAMES.tickets, "svc.place", pool),
  ...take(NAMES.displaced, "svc.displaced", pool),
  ...take(ROLLOUTS.tickets, "svc.rollout", pool),
  ...journals.flatMap(read),
  "svc.journal.*.*",
  ...files(NAMES.blobs),
];
const operator = (): string[] => [`${API}.>`, "$JS.ACK.>", "$JS.FC.>", "$KV.>", "$O.>", "svc.>"];

/** The name of a user: no other one of the server has it, whatever its account. */
export function userName({ role, pool, worker }: BrokerUser): string {
  return [pool, role, worker].filter((part) => part !== undefined).join(".");
}

/** The permissions of a user. */
export function permissionsOf(user: BrokerUser): BrokerPermissions {
  const publish = { gateway, worker, operator }[user.role](user);
  return { publish: [...new Set(publish)], subscribe: [`${inboxOf(userName(user))}.>`] };
}
