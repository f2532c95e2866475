/**
 * WebSockets of a server of `node:http`, by `ws`.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket, WebSocketServer } from "ws";
import type { MessageSocket, SocketListener, SocketResponse } from "./message_socket.ts";

/** Limits of what one socket may hold. Times are in milliseconds. */
export interface SocketLimits {
  /** Bytes of one message. */
  readonly messageBytes: number;
  /** Messages, pings and pongs of a client within a second; more, and it is closed. */
  readonly perSecond: number;
  /** Bytes that may wait for a client that reads slowly; more, and it is closed. */
  readonly waitingBytes: number;
  /** Between two pings; a client that has sent nothing since the last one is closed. */
  readonly ping: number;
  /** In which a client answers a goodbye, before it is cut off. */
  readonly goodbye: number;
}

/** Limits for voice over slow networks: a message of audio is 15 MiB at most, as OpenAI's. */
export const SOCKET_LIMITS: SocketLimits = {
  messageBytes: 16 * 2 ** 20,
  perSecond: 2_000,
  waitingBytes: 16 * 2 ** 20,
  ping: 20_000,
  goodbye: 2_000,
};

/** Codes of RFC 6455. */
const GOING_AWAY = 1001;
const POLICY = 1008;
const TOO_BUSY = 1013;

/** An upgrade that a request has asked for. */
interface Asked {
  readonly socket: Socket;
  readonly head: Buffer;
  readonly response: ServerResponse;
}

/** Whether a request opens a WebSocket; requests for other upgrades, such as `h2c`, are ordinary ones. */
export function isHandshake({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket" &&
    headers["sec-websocket-version"] === "13" &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "");
}

/** Takes requests for upgrades as ordinary requests, until one is answered with a socket. */
export class WebSockets {
  readonly #limits: SocketLimits;
  readonly #asked = new WeakMap<IncomingMessage, Asked>();
  readonly #open = new Set<OpenSocket>();
  #server: Promise<WebSocketServer> | undefined;

  constructor(limits: SocketLimits) {
    this.#limits = limits;
  }

  /** Has a server, which was made with {@linkcode isHandshake} as `shouldUpgradeCallback`, hand all upgrades over. */
  attach(server: Server): void {
    server.on("connection", onlyHandshakes);
    server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
      // The parser has let go of the connection: what is not upgraded is answered, and closed.
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once("finish", () => socket.end());
      socket.on("error", () => socket.destroy());
      this.#asked.set(request, { socket, head, response });
      server.emit("request", request, response);
    });
  }

  /** Whether a request may be answered with a socket. */
  mayOpen(request: IncomingMessage): boolean {
    return this.#asked.has(request);
  }

  /** Answers a request with a socket, unless its client has disconnected. */
  async open(request: IncomingMessage, { protocol, open, lost, headers }: SocketResponse): Promise<void> {
    const asked = this.#asked.get(request);
    if (asked === undefined) throw new Error("Cannot open a WebSocket: the request asks for none");
    const { socket, head, response } = asked;
    const server = await this.#load();
    response.detachSocket(socket);
    const agreed = [...headers].filter(([name]) => !name.startsWith("sec-websocket-"));
    server.once("headers", (lines) => {
      lines.push(...agreed.map(([name, value]) => `${name}: ${value}`));
      if (protocol !== undefined) lines.push(`Sec-WebSocket-Protocol: ${protocol}`);
    });
    let isOpen = false;
    server.handleUpgrade(request, socket, head, (webSocket) => {
      isOpen = true;
      const opened = new OpenSocket(webSocket, this.#limits, open);
      this.#open.add(opened);
      webSocket.once("close", () => this.#open.delete(opened));
    });
    server.removeAllListeners("headers"); // that of a handshake which was refused
    if (!isOpen) lost();
  }

  /** Says goodbye to all clients. */
  close(): void {
    for (const socket of this.#open) socket.close(GOING_AWAY, "the server is stopping");
  }

  #load(): Promise<WebSocketServer> {
    return this.#server ??= import("ws").then(({ WebSocketServer }) =>
      new WebSocketServer({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false, // a small message may not become a large one
        autoPong: false,
        maxPayload: this.#limits.messageBytes,
        handleProtocols: () => false, // the route has agreed upon one
      })
    );
  }
}

/** What a parser of `node:http` calls with the head of a request. */
interface Parser {
  onIncoming?: ((request: IncomingMessage, keepAlive: boolean) => unknown) | null;
}

/**
 * Has versions of Node before 24.9, which have no `shouldUpgradeCallback`, upgrade handshakes only: they would take the body
 * of every request with a header `upgrade` for another protocol, and clients in Java send one with all.
 */
function onlyHandshakes(socket: Socket): void {
  const { parser } = socket as { readonly parser?: Parser | null };
  const original = parser?.onIncoming;
  if (!original) return;
  parser.onIncoming = (request: IncomingMessage & { upgrade?: boolean }, keepAlive) => {
    if (request.method !== "CONNECT" && !isHandshake(request)) request.upgrade = false;
    return original.call(parser, request, keepAlive);
  };
}

/** A socket whose client may do anything. */
class OpenSocket implements MessageSocket {
  readonly #socket: WebSocket;
  readonly #limits: SocketLimits;
  #second = 0;
  #count = 0;
  #isAlive = true;

  constructor(socket: WebSocket, limits: SocketLimits, open: (socket: MessageSocket) => SocketListener) {
    this.#socket = socket;
    this.#limits = limits;
    const listener = open(this);
    const pings = setInterval(() => this.#ping(), limits.ping);
    pings.unref();
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      if (!this.#counted()) return;
      if (isBinary) this.close(1003, "expected messages of text");
      else listener.message(data.toString("utf8"));
    });
    socket.on("ping", (data: Buffer) => {
      if (this.#counted()) socket.pong(data, false, () => {});
    });
    socket.on("pong", () => this.#counted());
    socket.on("error", () => {}); // its close follows
    socket.once("close", () => {
      clearInterval(pings);
      listener.closed();
    });
  }

  get waitingBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(text, () => {});
    if (this.waitingBytes > this.#limits.waitingBytes) this.close(TOO_BUSY, "the client reads too slowly");
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    this.#socket.resume(); // a goodbye is read as everything else
    setTimeout(() => this.#socket.terminate(), this.#limits.goodbye).unref();
  }

  /** Counts what the client has sent; false where it is too much. */
  #counted(): boolean {
    this.#isAlive = true;
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) this.#count = 0;
    this.#second = second;
    if (++this.#count <= this.#limits.perSecond && this.waitingBytes <= this.#limits.waitingBytes) return true;
    if (this.#count === this.#limits.perSecond + 1) this.close(POLICY, "too many messages");
    return false;
  }

  #ping(): void {
    // One that is not read from has no chance to answer.
    if (!this.#isAlive && !this.#socket.isPaused) return this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping(undefined, false, () => {});
  }
}
