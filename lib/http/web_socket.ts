/**
 * Routes that answer with a WebSocket.
 *
 * @module
 */
import { SvcError } from "../errors/svc_error.ts";
import {
  isUpgrade,
  type MessageSocket,
  type SocketListener,
  SocketResponse,
} from "../platform/sockets/message_socket.ts";

export type { MessageSocket, SocketListener };

/** The subprotocols that a client offers, the one it likes best first. */
export function offeredProtocols({ headers }: Request): string[] {
  const offered = headers.get("sec-websocket-protocol") ?? "";
  return offered.split(",").map((name) => name.trim()).filter((name) => name !== "");
}

/**
 * The answer that opens a WebSocket.
 *
 * @param protocol One of {@linkcode offeredProtocols}.
 * @param open Called when it is open.
 * @param lost Called in place of `open` when the client has disconnected meanwhile.
 * @throws {SvcError} 426 where the request asks for none, or came through a server that cannot open one.
 */
export function acceptSocket(
  request: Request,
  protocol: string | undefined,
  open: (socket: MessageSocket) => SocketListener,
  lost: () => void,
): Response {
  if (isUpgrade(request)) return new SocketResponse(protocol, open, lost);
  const message = "Cannot answer: the request does not open a WebSocket, expected a handshake of version 13 to a " +
    "server that listens by itself";
  throw new SvcError("upgrade_required", message, {
    headers: { upgrade: "websocket", connection: "Upgrade", "sec-websocket-version": "13" },
  });
}
