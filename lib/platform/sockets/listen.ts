/**
 * Serves HTTP: `Deno.serve` on Deno, `@hono/node-server` on Node.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** Answers one request; `peer` is the address of the socket's peer. */
export type Handler = (request: Request, peer: string) => Promise<Response>;

/** A listening server. */
export interface Listening {
  /** Such as `http://127.0.0.1:8791`. */
  readonly url: string;
  /** Stops accepting, lets open responses finish for at most `grace` milliseconds, then closes their connections. */
  close(grace: number): Promise<void>;
}

/** Where to listen; port 0 is any free one. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
}

/**
 * Starts to serve.
 *
 * @throws {Error} with a plain reason when the address cannot be used.
 */
export async function listen(handler: Handler, { host, port }: ListenOptions): Promise<Listening> {
  try {
    const { Deno } = globalThis as { Deno?: { serve: DenoServe } };
    return Deno ? listenOnDeno(Deno.serve, handler, host, port) : await listenOnNode(handler, host, port);
  } catch (cause) {
    const { code } = cause as { code?: string };
    const reason = code === "EADDRINUSE"
      ? "the port is in use, choose another with --port or 0 for any"
      : code === "EACCES"
      ? "permission denied, choose a port above 1023"
      : code === "ENOTFOUND" || code === "EADDRNOTAVAIL"
      ? "the host is not an address of this machine"
      : String(cause);
    throw new Error(`Cannot listen on ${urlOf(host, port)}: ${reason}`, { cause });
  }
}

/** The part of Deno that is used; its types are unknown to Node's compiler. */
interface DenoServer {
  readonly addr: { readonly port: number };
  shutdown(): Promise<void>;
}
type DenoServe = (
  options: { hostname: string; port: number; onListen: () => void },
  handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Promise<Response>,
) => DenoServer;

function listenOnDeno(serve: DenoServe, handler: Handler, hostname: string, port: number): Listening {
  // Deno cannot close connections while it shuts down: missing responses are completed here.
  const waiting = new Set<(response: Response) => void>();
  const server = serve(
    { hostname, port, onListen: () => {} },
    (request, { remoteAddr }) =>
      new Promise((resolve, reject) => {
        waiting.add(resolve);
        handler(request, remoteAddr.hostname ?? "").then(resolve, reject).finally(() => waiting.delete(resolve));
      }),
  );
  return {
    url: urlOf(hostname, server.addr.port),
    close: (grace) =>
      within(grace, server.shutdown(), () => {
        for (const resolve of waiting) resolve(new Response(null, { status: 503 }));
      }),
  };
}

async function listenOnNode(handler: Handler, hostname: string, port: number): Promise<Listening> {
  const { createAdaptorServer } = await import("@hono/node-server");
  const { Server } = await import("node:http");
  const server = createAdaptorServer({
    fetch: (request, env) => handler(request, "incoming" in env ? env.incoming.socket.remoteAddress ?? "" : ""),
  });
  // Node's own list of idle connections lacks those opened before their first request, as browsers do.
  const idle = new Set<Socket>();
  let closing = false;
  server.on("connection", (socket: Socket) => {
    idle.add(socket);
    socket.once("close", () => idle.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once("close", () => {
      if (closing) socket.destroySoon();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => resolve());
  });
  return {
    url: urlOf(hostname, (server.address() as AddressInfo).port),
    close: (grace) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if (!(server instanceof Server)) return closed;
      closing = true;
      for (const socket of idle) socket.destroy();
      return within(grace, closed, () => server.closeAllConnections());
    },
  };
}

async function within(milliseconds: number, closed: Promise<void>, cut: () => void): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      cut();
      resolve();
    }, milliseconds);
  });
  await Promise.race([closed, late]);
  clearTimeout(timer);
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
