/**
 * Serves HTTP by `@hono/node-server`, on Deno too: `Deno.serve` has no timeouts and no limit of connections.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { descriptorLimit } from "../machine/descriptor_limit.ts";
import { optionError } from "../../errors/option_error.ts";
import { joinParts } from "./join_parts.ts";
import { allowUpgrade, SocketResponse } from "./message_socket.ts";
import { refuseLate, refuseWithJson, unreadableAddress } from "./refuse_request.ts";
import { isHandshake, SOCKET_LIMITS, type SocketLimits, WebSockets } from "./web_sockets.ts";

/** Answers one request, a WebSocket with a {@linkcode SocketResponse}; `peer` is the address of the socket's peer. */
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
  /** {@linkcode CONNECTION_LIMITS} when omitted. */
  readonly limits?: ConnectionLimits;
  /** {@linkcode SOCKET_LIMITS} when omitted. */
  readonly sockets?: SocketLimits;
}

/**
 * Starts to serve.
 *
 * @throws {Error} with a plain reason when the address cannot be used.
 */
export async function listen(handler: Handler, options: ListenOptions): Promise<Listening> {
  try {
    return await serve(handler, options);
  } catch (cause) {
    const { code } = cause as { code?: string };
    if (code === "EADDRINUSE") {
      throw optionError(
        (name) =>
          `Cannot listen on ${urlOf(options.host, options.port)}: the port is in use, choose another with ` +
          `${name("port")} or 0 for any`,
        (message) => new Error(message, { cause }),
      );
    }
    const reason = code === "EACCES"
      ? "permission denied, choose a port above 1023"
      : code === "ENOTFOUND" || code === "EADDRNOTAVAIL"
      ? "the host is not an address of this machine"
      : String(cause);
    throw new Error(`Cannot listen on ${urlOf(options.host, options.port)}: ${reason}`, { cause });
  }
}

/** Limits of what one client may hold, and of all together. Times are in milliseconds. */
export interface ConnectionLimits {
  /** Connections at the same time; further ones are closed at once. */
  readonly connections: number;
  /** From the start of a connection or request to the end of its headers. */
  readonly headers: number;
  /** From the start of a request to the end of its body. */
  readonly request: number;
  /** Without a byte of a body that is awaited, and without one taken of an answer that is ready. */
  readonly stall: number;
  /** Between two requests. */
  readonly idle: number;
}

/** Limits for clients on slow networks. There may be a thousand requests in the queue, each with its connection. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 2048,
  headers: 20_000,
  request: 300_000,
  stall: 30_000,
  idle: 20_000,
};

/** An open connection. */
interface Connection {
  /** When it was opened, or its request began or ended. */
  readonly since: number;
  /** Bytes that had been read by then. */
  readonly read: number;
  readonly request?: IncomingMessage;
  readonly response?: ServerResponse;
  /** Whether it gets a refusal, and closes. */
  refused: boolean;
  /** Whether it has become a WebSocket, which has limits of its own. */
  upgraded?: boolean;
}

async function serve(handler: Handler, options: ListenOptions): Promise<Listening> {
  const { host, port, limits = CONNECTION_LIMITS, sockets: socketLimits = SOCKET_LIMITS } = options;
  const { getRequestListener } = await import("@hono/node-server");
  const { RESPONSE_ALREADY_SENT } = await import("@hono/node-server/utils/response");
  const sockets = new WebSockets(socketLimits);
  const listener = getRequestListener(
    async (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const { socket } = incoming;
      if (sockets.mayOpen(incoming)) allowUpgrade(request);
      const response = await handler(request, socket.remoteAddress ?? "");
      if (!(response instanceof SocketResponse)) return response;
      const connection = open.get(socket);
      if (connection) connection.upgraded = true;
      await sockets.open(incoming, response);
      return RESPONSE_ALREADY_SENT;
    },
    // HTTP/1.0 has no Host header: the address that is listened on stands for it.
    { hostname: host.includes(":") ? `[${host}]` : host, errorHandler: unreadableAddress },
  );
  const server = createServer(
    {
      connectionsCheckingInterval: Math.min(limits.headers, 5_000),
      requireHostHeader: false,
      ...{ shouldUpgradeCallback: isHandshake }, // an option of Node 24.9 and newer
    },
    listener,
  );
  sockets.attach(server);
  server.maxConnections = Math.min(limits.connections, connectionsWithin(await descriptorLimit()));
  server.headersTimeout = limits.headers;
  server.requestTimeout = limits.request;
  server.keepAliveTimeout = limits.idle;
  // Node's list of idle connections omits those opened ahead of their first request, as browsers do.
  const open = new Map<Socket, Connection>();
  let closing = false;
  const idle = (socket: Socket): void =>
    void open.set(socket, { since: performance.now(), read: socket.bytesRead, refused: false });
  server.on("connection", (socket: Socket) => {
    idle(socket);
    socket.once("close", () => open.delete(socket));
  });
  /** A client that has sent a part of a request gets an answer that says what is missing. */
  const giveUp = (socket: Socket): void => {
    const connection = open.get(socket);
    const hasAsked = connection !== undefined && !connection.refused &&
      (connection.request ? !connection.request.complete : socket.bytesRead > connection.read);
    if (!hasAsked || connection.response?.headersSent) return void socket.destroy();
    connection.refused = true;
    refuseLate(socket);
  };
  refuseWithJson(server, (socket) => open.get(socket)?.response?.headersSent === true, giveUp);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    joinParts(request);
    const { socket } = request;
    open.set(socket, { since: performance.now(), read: socket.bytesRead, request, response, refused: false });
    response.once("close", () => {
      if (closing) socket.destroySoon();
      else if (!socket.destroyed) idle(socket);
    });
  });
  server.setTimeout(limits.stall, (socket: Socket) => {
    const { request, upgraded } = open.get(socket) ?? {};
    const isOurTurn = upgraded || request?.complete === true && socket.writableLength === 0;
    if (isOurTurn) socket.setTimeout(limits.stall);
    else giveUp(socket);
  });
  // Holds the limits also where the runtime's own checks are incomplete, as those of older versions of Deno are.
  const sweep = setInterval(() => {
    const now = performance.now();
    for (const [socket, { since, request, upgraded }] of open) {
      if (upgraded) continue;
      const limit = request === undefined ? Math.max(limits.headers, limits.idle) : limits.request;
      if (request?.complete !== true && now - since > limit) giveUp(socket);
    }
  }, Math.min(limits.headers, 5_000));
  sweep.unref();
  const rearm = "Deno" in globalThis ? setInterval(() => acceptAgain(server), REARM_INTERVAL) : undefined;
  rearm?.unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  return {
    url: urlOf(host, (server.address() as AddressInfo).port),
    close: (grace) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      closing = true;
      clearInterval(sweep);
      clearInterval(rearm);
      for (const [socket, { request }] of open) if (request === undefined) socket.destroy();
      sockets.close();
      return within(grace, closed, () => {
        server.closeAllConnections();
        for (const socket of open.keys()) socket.destroy(); // those that have become WebSockets are not the server's any more
      });
    },
  };
}

/** Descriptors for everything that is not a connection: files, engines, connections to others. */
const OTHER_DESCRIPTORS = 256;

/** The connections that fit into a limit of descriptors: half of a small one. */
export function connectionsWithin(descriptors: number | undefined): number {
  if (descriptors === undefined) return Infinity;
  return Math.max(1, descriptors - Math.min(OTHER_DESCRIPTORS, Math.ceil(descriptors / 2)));
}

/** Milliseconds until a listener of Deno accepts again. */
const REARM_INTERVAL = 500;

/**
 * Has a listener accept again. A listener of Deno 2.9.5 that found no free descriptor once is never woken again, without an
 * error or event (`tests/platform/deno_accept_stalls.ts`); listening on the same socket again registers it once more,
 * and changes nothing where it was registered.
 */
function acceptAgain(server: Server): void {
  const { _handle: handle } = server as unknown as { _handle?: { listen?(backlog: number): number } | null };
  handle?.listen?.(BACKLOG);
}

/** Connections that wait to be accepted, the default of `listen`. */
const BACKLOG = 511;

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
