import type { JetStreamManager } from "@nats-io/jetstream";

/** Makes a stream where the broker says that it is missing; what is there stays as it is. */
export async function ensureStream(
  manager: JetStreamManager,
  config: Parameters<JetStreamManager["streams"]["add"]>[0],
): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    // One without a leader does not answer either, and is there.
    if ((error as Error).name !== "StreamNotFoundError") throw error;
    await manager.streams.add(config);
  }
}
