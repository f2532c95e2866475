/** The service of rpc_test.ts, which its worker, its process and the other end of a `MessageChannel` serve. */
import { SvcError } from "../../lib/errors/svc_error.ts";
import type { RpcPort } from "../../lib/platform/rpc/rpc_port.ts";
import { type Method, Moved } from "../../lib/platform/rpc/rpc_service.ts";
import { type RpcServer, serveCalls } from "../../lib/platform/rpc/serve_calls.ts";

export type TestService = {
  readonly add: Method<readonly [number, number], number>;
  /** Hands numbers over, one after the other. */
  readonly count: Method<readonly [upTo: number], string, number>;
  /** Says numbers without waiting. */
  readonly say: Method<readonly [upTo: number], void, number>;
  readonly refuse: Method<readonly []>;
  /** Waits until it is cancelled; then it fails, or answers nevertheless. */
  readonly wait: Method<readonly [ends: "fails" | "answers"], string, "waiting">;
  /** Gives bytes back. */
  readonly pass: Method<readonly [Uint8Array<ArrayBuffer>], Uint8Array<ArrayBuffer>>;
  /** Bytes that are left here of what was passed last. */
  readonly left: Method<readonly [], number>;
  /** Answers with what cannot be cloned, or says it. */
  readonly uncloned: Method<readonly [where: "answer" | "event"], unknown, unknown>;
  readonly spin: Method<readonly [], void, "spinning">;
  readonly die: Method<readonly []>;
};

/** What {@linkcode TestService.refuse} throws. */
export const REFUSAL = new SvcError("context_length_exceeded", "Cannot answer: it is too long", {
  param: "messages",
  problems: ["one", "two"],
});

/** @param die Ends this side. */
export function serveTest(port: RpcPort, die: () => void): RpcServer {
  let passed = new Uint8Array();
  return serveCalls<TestService>(port, {
    add: (_call, a, b) => a + b,
    count: async (call, upTo) => {
      for (let number = 1; number <= upTo; number++) await call.hand(number);
      return "counted";
    },
    say: (call, upTo) => {
      for (let number = 1; number <= upTo; number++) void call.tell(number);
    },
    refuse: () => {
      throw REFUSAL;
    },
    wait: async (call, ends) => {
      await call.tell("waiting");
      await new Promise<void>((resolve) => call.signal.addEventListener("abort", () => resolve()));
      if (ends === "fails") throw call.signal.reason;
      return "late";
    },
    pass: (_call, bytes) => {
      passed = bytes;
      return new Moved(bytes);
    },
    left: () => passed.length,
    uncloned: async (call, where) => {
      if (where === "event") await call.tell(() => {}); // the call fails all the same
      return where === "answer" ? () => {} : "fine";
    },
    spin: async (call) => {
      await call.tell("spinning");
      while (!call.signal.aborted); // no message arrives meanwhile
    },
    die,
  });
}
