/**
 * The changes of buckets, as they happen, whichever node of the broker is lost.
 *
 * A consumer that follows a bucket lives on one node. The client's own `watch` takes up to 90 s to see that the node is
 * gone, and resumes after the last entry it saw: it never sees a removal marker that has expired by then.
 *
 * @module
 */
import { AckPolicy, DeliverPolicy, type JetStreamClient, type JetStreamManager, type JsMsg } from "@nats-io/jetstream";
import { createInbox } from "@nats-io/transport-node";
import { isAway } from "./broker_trouble.ts";

/** Milliseconds between two attempts to follow a bucket. */
const AGAIN = 500;

/** Milliseconds that the first attempts may take: nodes elect a leader in 4 to 9 s a vote. */
const START = 20_000;

/** A consumer is given up after two or three missed heartbeats. Milliseconds between two: minimum and maximum. */
const HEARTBEAT_SHARE = 1 / 6;
const MIN_HEARTBEAT = 500;
const MAX_HEARTBEAT = 5000;

/** How long the broker keeps a consumer without a listener, in milliseconds. */
const FORGOTTEN = 60_000;

/** What buckets are followed with. */
export interface BucketChangesOptions {
  readonly stream: JetStreamClient;
  readonly manager: JetStreamManager;
  /** What the answers to this client come under; that of NATS by default. */
  readonly inboxPrefix?: string | undefined;
  /** Milliseconds until a silent worker loses its sessions: news may not be late by much of it. */
  readonly lease: number;
  readonly isClosed: () => boolean;
}

/** A change of a key: the message that made it; undefined where the key was found to be gone. */
export type OnChange = (key: string, message: JsMsg | undefined) => void;

/** Follows buckets. */
export class BucketChanges {
  readonly #options: BucketChangesOptions;

  constructor(options: BucketChangesOptions) {
    this.#options = options;
  }

  /**
   * Passes on the newest message of every key, and every later one. Resolves when the present ones have been passed on,
   * or `signal` aborts, which ends it.
   *
   * @throws what the first attempt throws; for a broker that does not answer only when it has not done so for long.
   */
  follow(bucket: string, onChange: OnChange, signal: AbortSignal): Promise<void> {
    const { isClosed } = this.#options;
    const known = new Set<string>();
    return new Promise((resolve, reject) => {
      const attempts = async (): Promise<void> => {
        const begun = performance.now();
        let isWhole = false;
        const onWhole = (): void => {
          isWhole = true;
          resolve();
        };
        while (!signal.aborted && !isClosed()) {
          let failure: unknown = new Error(
            `Cannot follow ${bucket}: NATS closed the connection before sending every entry`,
          );
          try {
            await this.#read(bucket, known, { onChange, onWhole }, signal);
          } catch (error) {
            failure = error;
            if (!isWhole && !isAway(error)) return reject(error);
          }
          if (!isWhole && performance.now() - begun > START) return reject(failure);
          if (!signal.aborted && !isClosed()) await new Promise((again) => setTimeout(again, AGAIN));
        }
        // A caller that is still waiting must not wait indefinitely.
        if (signal.aborted) resolve();
        else reject(new Error(`Cannot follow ${bucket}: the connection is closed`));
      };
      void attempts();
    });
  }

  /** Reads a bucket from its beginning until its messages stop coming. */
  async #read(
    bucket: string,
    known: Set<string>,
    { onChange, onWhole }: { readonly onChange: OnChange; readonly onWhole: () => void },
    signal: AbortSignal,
  ): Promise<void> {
    const { stream, manager, inboxPrefix, lease } = this.#options;
    const prefix = `$KV.${bucket}.`;
    const name = `watch-${crypto.randomUUID()}`;
    const deliver_subject = createInbox(inboxPrefix);
    const idle_heartbeat = 1e6 * Math.min(MAX_HEARTBEAT, Math.max(MIN_HEARTBEAT, Math.round(lease * HEARTBEAT_SHARE)));
    const absent = new Set(known);
    let count = 0;
    let isWhole = false;
    const whole = (): void => {
      if (isWhole) return;
      isWhole = true;
      for (const key of absent) {
        known.delete(key);
        onChange(key, undefined);
      }
      onWhole();
    };
    const callback = (message: JsMsg): void => {
      if (message.info.deliverySequence !== ++count) return messages.stop(); // one before it is lost
      const key = message.subject.slice(prefix.length);
      known.add(key);
      absent.delete(key);
      onChange(key, message);
      if (message.info.pending === 0) whole();
    };
    const consumer = await stream.consumers.getBoundPushConsumer({ deliver_subject, idle_heartbeat });
    const messages = await consumer.consume({ callback });
    const stop = (): void => messages.stop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      const { num_pending } = await manager.consumers.add(`KV_${bucket}`, {
        name,
        deliver_subject,
        idle_heartbeat,
        flow_control: true,
        filter_subject: `${prefix}>`,
        deliver_policy: DeliverPolicy.LastPerSubject,
        ack_policy: AckPolicy.None,
        max_deliver: 1,
        mem_storage: true,
        num_replicas: 1,
        inactive_threshold: 1e6 * FORGOTTEN,
      });
      if (num_pending === 0) whole();
      for await (const status of messages.status()) {
        const isLost = status.type === "heartbeat" && status.lastConsumerSequence > count;
        if (isLost || status.type === "heartbeats_missed" || status.type === "consumer_deleted") break;
      }
    } finally {
      signal.removeEventListener("abort", stop);
      messages.stop();
      void manager.consumers.delete(`KV_${bucket}`, name).catch(() => {}); // else the broker forgets it
    }
  }
}
