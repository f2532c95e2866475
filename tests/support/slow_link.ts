/**
 * A connection to a server whose answers can be held back, as those for a process that stands still.
 *
 * @module
 */
import { connect, createServer, type Socket } from "node:net";

/** A way to a server. */
export interface SlowLink {
  /** Where clients connect to. */
  readonly port: number;
  /** Resolves once a client has sent this text; from then on its answers are held back. */
  holdAfter(text: string): Promise<void>;
  /** Passes what was held back on, and all after it. */
  release(): void;
  close(): Promise<void>;
}

/** Listens in front of a server on this machine. */
export async function openSlowLink(target: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  let trigger: { readonly text: string; readonly seen: () => void } | undefined;
  let isHolding = false;
  let held: (() => void)[] = [];
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (data) => {
      if (trigger && data.includes(trigger.text)) {
        isHolding = true;
        trigger.seen();
        trigger = undefined;
      }
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      if (isHolding) held.push(() => client.write(data));
      else client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    holdAfter: (text) => new Promise((seen) => trigger = { text, seen }),
    release() {
      isHolding = false;
      for (const pass of held.splice(0)) pass();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      held = [];
    },
  };
}
