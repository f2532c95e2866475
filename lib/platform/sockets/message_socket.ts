/**
 * Upgrades of requests to WebSockets, as values that routes return.
 *
 * @module
 */

/** An open WebSocket of one client, for texts. */
export interface MessageSocket {
  /** Bytes that wait for the client. */
  readonly waitingBytes: number;
  /** Sends a text; does nothing once it is closed. */
  send(text: string): void;
  /** Stops reading what the client sends, until {@linkcode resume}. */
  pause(): void;
  resume(): void;
  /** Says goodbye with a code of RFC 6455 and closes. */
  close(code: number, reason: string): void;
}

/** What becomes of a socket. */
export interface SocketListener {
  /** Called with each text. */
  message(text: string): void;
  /** Called once when it is closed, by whichever side. */
  closed(): void;
}

/** The answer to an upgrade: the socket is opened when the answer is sent. */
export class SocketResponse extends Response {
  /** The subprotocol that was agreed upon. */
  readonly protocol: string | undefined;
  readonly open: (socket: MessageSocket) => SocketListener;
  /** Called in place of `open` when the client has disconnected meanwhile. */
  readonly lost: () => void;

  constructor(
    protocol: string | undefined,
    open: (socket: MessageSocket) => SocketListener,
    lost: () => void = () => {},
  ) {
    super(null);
    this.protocol = protocol;
    this.open = open;
    this.lost = lost;
  }

  /** 101, which not every runtime lets a response be made with. */
  override get status(): number {
    return 101;
  }
}

const upgradable = new WeakSet<Request>();

/** Notes that the listener of a request can open a socket. */
export function allowUpgrade(request: Request): void {
  upgradable.add(request);
}

/** Whether a request asks for a WebSocket, and came through a listener that can open one. */
export function isUpgrade(request: Request): boolean {
  return upgradable.has(request);
}
