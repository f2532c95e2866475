/**
 * Answers to what is not a request that a handler could get: refused by the HTTP parser, or without a valid address.
 *
 * @module
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SvcError } from "../../errors/svc_error.ts";

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  413: "Content Too Large",
  417: "Expectation Failed",
  431: "Request Header Fields Too Large",
};

/**
 * Gives every refusal of the HTTP parser the JSON body that all errors have.
 *
 * @param hasBegun Whether an answer is on its way on a socket: then nothing can be said any more.
 * @param giveUp Ends a connection whose request is late.
 */
export function refuseWithJson(
  server: Server,
  hasBegun: (socket: Socket) => boolean,
  giveUp: (socket: Socket) => void,
): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === TIMEOUT) giveUp(socket);
    else if (error.code === "ECONNRESET" || hasBegun(socket)) socket.destroy();
    else refuse(socket, refusalOf(error));
  });
  // Node and Deno hang up on it.
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    const message = "Cannot read the request: this server is not a proxy, expected another method than CONNECT";
    refuse(socket, new SvcError("malformed_request", message));
  });
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const message = "Cannot answer: the header expect has another value than 100-continue, omit it";
    const refusal = new SvcError("expectation_failed", message);
    response.writeHead(refusal.status, { "content-type": "application/json", connection: "close" });
    response.end(bodyOf(refusal));
  });
}

/** The code of the runtime's own error about a request that is late. */
const TIMEOUT = "ERR_HTTP_REQUEST_TIMEOUT";

/** Refuses a request that did not arrive in time, and closes its connection. */
export function refuseLate(socket: Socket): void {
  refuse(socket, refusalOf({ code: TIMEOUT }));
}

/** Milliseconds that a client has to take a refusal. */
const TAKEN_WITHIN = 5_000;

function refuse(socket: Socket, refusal: SvcError): void {
  if (!socket.writable) return void socket.destroy();
  const body = bodyOf(refusal);
  const head = [
    `HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.setTimeout(TAKEN_WITHIN, () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroySoon());
}

/** The answer to a request whose address or `Host` header is invalid; anything else is a fault of the server. */
export function unreadableAddress(error: unknown): Response {
  if (!(error instanceof Error) || error.name !== "RequestError") return new Response(null, { status: 500 });
  const refusal = new SvcError(
    "malformed_request",
    `Cannot read the request: ${error.message}, expected a valid path and host`,
  );
  return Response.json({ error: refusal.toObject() }, { status: refusal.status });
}

function refusalOf({ code }: { readonly code?: string | undefined }): SvcError {
  switch (code) {
    case TIMEOUT:
      return new SvcError("request_timeout", "Cannot read the request: it did not arrive in time, send it again");
    case "HPE_HEADER_OVERFLOW":
      return new SvcError("headers_too_large", "Cannot read the request: its headers are larger than 16 KiB");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new SvcError("body_too_large", "Cannot read the body: its chunk extensions are larger than 16 KiB");
    default:
      return new SvcError("malformed_request", "Cannot read the request: it is not valid HTTP, check what was sent");
  }
}

function bodyOf(error: SvcError): string {
  return JSON.stringify({ error: error.toObject() });
}
