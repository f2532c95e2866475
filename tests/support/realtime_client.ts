import { listen, type ListenOptions } from "../../lib/platform/sockets/listen.ts";
import { WebSocket } from "ws";
import { ApiHarness, type ApiHarnessOptions } from "./api_harness.ts";

/** An event of the server. */
// deno-lint-ignore no-explicit-any
export type Received = { readonly type: string; readonly [member: string]: any };

/** A client of `/v1/realtime` that keeps what it gets. */
export class RealtimeTestClient {
  readonly socket: WebSocket;
  readonly events: Received[] = [];
  /** The status of a refused handshake, with its body. */
  readonly refused: Promise<{ readonly status: number; readonly body: string }>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(url: string, init: { readonly headers?: Record<string, string>; readonly protocols?: string[] } = {}) {
    this.socket = new WebSocket(url.replace("http", "ws"), init.protocols ?? [], { headers: init.headers ?? {} });
    this.socket.on("message", (data) => {
      this.events.push(JSON.parse(String(data)));
      this.#wake();
    });
    this.socket.on("error", () => {});
    this.refused = new Promise((resolve) =>
      this.socket.on("unexpected-response", (_, response) => {
        let body = "";
        response.on("data", (part) => body += part);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      })
    );
    this.closed = new Promise((resolve) =>
      this.socket.on("close", (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      })
    );
  }

  /** Sends an event. */
  send(event: Record<string, unknown>): void {
    this.socket.send(JSON.stringify(event));
  }

  /** The next event of a type, after those that were taken; the ones between are skipped. */
  async next(type: string): Promise<Received> {
    for (;;) {
      for (; this.#taken < this.events.length;) {
        const event = this.events[this.#taken++];
        if (event.type === type) return event;
        if (event.type === "error") throw new Error(`expected ${type}, got ${JSON.stringify(event.error)}`);
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`expected ${type}, got the end`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** All events up to the next one of a type, with it. */
  async upTo(type: string): Promise<Received[]> {
    const from = this.#taken;
    await this.next(type);
    return this.events.slice(from, this.#taken);
  }

  /** Closes and waits until the server has done so too. */
  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING) this.socket.terminate();
    else this.socket.close();
    await this.closed;
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** A listening model API with fakes behind it. */
export interface RealtimeHarness {
  readonly h: ApiHarness;
  readonly url: string;
  /** Connects a client, which is closed at the end. */
  connect(query?: string, init?: ConstructorParameters<typeof RealtimeTestClient>[1]): RealtimeTestClient;
}

/** A model API with sockets for one test. */
export async function withRealtime(
  options: ApiHarnessOptions & { readonly sockets?: NonNullable<ListenOptions["sockets"]> },
  work: (harness: RealtimeHarness) => Promise<void>,
): Promise<void> {
  const { sockets, ...rest } = options;
  const h = new ApiHarness(rest);
  const server = await listen(h.app, { host: "127.0.0.1", port: 0, ...sockets && { sockets } });
  const clients: RealtimeTestClient[] = [];
  const connect: RealtimeHarness["connect"] = (query = "?model=chat-a", init = {}) => {
    const client = new RealtimeTestClient(`${server.url}/v1/realtime${query}`, init);
    clients.push(client);
    return client;
  };
  try {
    await work({ h, url: server.url, connect });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await server.close(1000);
    await h.close();
  }
}
