/**
 * The clients of NATS, which are loaded when a fleet is joined: a server on its own needs none of them.
 *
 * @module
 */

/** The modules of the client. */
export interface NatsClient {
  readonly transport: typeof import("@nats-io/transport-node");
  readonly jetstream: typeof import("@nats-io/jetstream");
  readonly kv: typeof import("@nats-io/kv");
  readonly obj: typeof import("@nats-io/obj");
}

/** The packages, as they are installed. */
const PACKAGES = "@nats-io/transport-node @nats-io/jetstream @nats-io/kv @nats-io/obj";

/** Loads the client. */
export async function loadNatsClient(): Promise<NatsClient> {
  try {
    const [transport, jetstream, kv, obj] = await Promise.all([
      import("@nats-io/transport-node"),
      import("@nats-io/jetstream"),
      import("@nats-io/kv"),
      import("@nats-io/obj"),
    ]);
    return { transport, jetstream, kv, obj };
  } catch (cause) {
    throw new Error(`Cannot join a fleet: the NATS client is not installed, run npm install ${PACKAGES}`, { cause });
  }
}
