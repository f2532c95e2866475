/**
 * OpenAI's Realtime: events over a WebSocket.
 *
 * @module
 */
import type { MakeSoundFolder, ModelApi, RealtimeSession } from "../service/mod.ts";
import type { Clock } from "../../scheduling/mod.ts";
import { type ErrorObject, SvcError } from "../../errors/svc_error.ts";
import { parseJsonText } from "../../http/request_body.ts";
import { type RateLimit, takeRate } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { acceptSocket, type MessageSocket, offeredProtocols, type SocketListener } from "../../http/web_socket.ts";

/** Options of {@linkcode realtimeRoutes}. */
export interface RealtimeRoutesOptions {
  readonly limit: RateLimit | undefined;
  readonly clock: Clock;
  readonly makeFolder: MakeSoundFolder;
  /** Makes the error object of a failure, and logs unexpected ones. */
  readonly onError: (error: unknown, call: RouteCall, gone: boolean) => ErrorObject;
}

/** The subprotocol of sessions, and how browsers send a key, since they cannot send a header. */
const PROTOCOL = "realtime";
const KEY_PREFIX = "openai-insecure-api-key.";

/** Characters of all messages that wait to be handled, at most: then no more is read. */
const MAX_WAITING = 64 * 1024;

/** Bytes that wait for the client before the next sound is made, and how often that is looked at. */
const MAX_UNREAD = 512 * 1024;
const LOOK = 50;

/** Milliseconds in which a client takes something of what waits for it. */
const STALLED = 30_000;

/** Codes of RFC 6455. */
const NORMAL = 1000;
const POLICY = 1008;
const TOO_BUSY = 1013;

/** `GET /v1/realtime`. */
export function realtimeRoutes(api: ModelApi, options: RealtimeRoutesOptions): Route[] {
  return [{
    method: "GET",
    path: "/v1/realtime",
    keyHeader: "sec-websocket-protocol",
    keyPrefix: KEY_PREFIX,
    handle: (call) => {
      const offered = offeredProtocols(call.request);
      const protocol = offered.includes(PROTOCOL) ? PROTOCOL : undefined;
      let leave = (): void => {};
      const open = (socket: MessageSocket): SocketListener => connect(api, call, socket, leave, options);
      const response = acceptSocket(call.request, protocol, open, () => leave());
      takeRate(options.limit, call.peer, call.headers);
      leave = api.realtime.enter();
      return response;
    },
  }];
}

/** Connects a client with a session. */
function connect(
  api: ModelApi,
  call: RouteCall,
  socket: MessageSocket,
  leave: () => void,
  { limit, clock, makeFolder, onError }: RealtimeRoutesOptions,
): SocketListener {
  const query = new URLSearchParams(call.request.url.replace(/^[^?]*\??/, "")); // the URL need not be valid
  let isGone = false;
  const explain = (error: unknown): ErrorObject => onError(error, call, isGone);
  const say = (error: unknown): void => {
    const { type, code, message, param = null } = explain(error);
    socket.send(
      JSON.stringify({
        type: "error",
        event_id: `event_${call.requestId}`,
        error: { type, code, message, param, event_id: null },
      }),
    );
  };
  const opened = api.realtime.open({
    version: isBeta(call.request) ? "beta" : "ga",
    model: query.get("model") ?? "",
    send: (text) => socket.send(text),
    drained: (signal) => drained(socket, clock, signal),
    takeRate: () => {
      if (limit === undefined) return undefined;
      const headers = new Headers();
      takeRate(limit, call.peer, headers);
      const { perMinute } = limit;
      const left = Number(headers.get("x-ratelimit-remaining-requests"));
      const resetSeconds = Number.parseFloat(headers.get("x-ratelimit-reset-requests") ?? "0");
      return { limit: perMinute, remaining: left, resetSeconds };
    },
    explain,
    makeFolder,
  });
  let session: RealtimeSession | undefined;
  const end = (): void => {
    session?.end();
    leave();
  };
  let cancelAge = (): void => {};
  const ready = opened.then((made) => {
    session = made;
    if (isGone) return end();
    session.begin();
    cancelAge = clock.after(api.realtime.age, () => {
      say(new SvcError("session_expired", "Cannot continue the session: it has reached its age, open another one"));
      end();
      socket.close(NORMAL, "the session has reached its age");
    });
  }, (error) => {
    say(error);
    socket.close(POLICY, "the session could not be opened");
  });
  let waiting = 0;
  let handled: Promise<void> = ready;
  const handle = async (text: string): Promise<void> => {
    if (isGone || session === undefined) return;
    let event: unknown;
    try {
      event = parseJsonText(text, "event");
    } catch (error) {
      return session.refuse(error);
    }
    await session.receive(event);
  };
  return {
    message: (text) => {
      waiting += text.length;
      if (waiting > MAX_WAITING) socket.pause();
      handled = handled.then(() => handle(text)).catch(say).finally(() => {
        waiting -= text.length;
        if (waiting <= MAX_WAITING) socket.resume();
      });
    },
    closed: () => {
      isGone = true;
      cancelAge();
      end();
    },
  };
}

/** Whether a client speaks the words of the beta, by its header or, in a browser, its subprotocol. */
function isBeta(request: Request): boolean {
  return request.headers.get("openai-beta")?.includes("realtime=v1") === true ||
    offeredProtocols(request).includes("openai-beta.realtime-v1");
}

/** Resolves when little waits for a client; closes one that takes nothing, and rejects. */
async function drained(socket: MessageSocket, clock: Clock, signal: AbortSignal): Promise<void> {
  let least = Infinity;
  let since = clock.now();
  while (socket.waitingBytes > MAX_UNREAD) {
    signal.throwIfAborted();
    if (socket.waitingBytes < least) since = clock.now();
    least = Math.min(least, socket.waitingBytes);
    if (clock.now() - since > STALLED) {
      socket.close(TOO_BUSY, "the client reads too slowly");
      throw new DOMException("The client reads too slowly", "AbortError");
    }
    await new Promise<void>((resolve) => clock.after(LOOK, resolve));
  }
}
