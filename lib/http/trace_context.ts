/**
 * The trace that a request belongs to: the `traceparent` header of W3C Trace Context.
 *
 * @module
 */

/** A trace, and the step of it that asks. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** 16 lower-case hexadecimal digits. */
  readonly parentId: string;
  /** Two hexadecimal digits; the last bit says that the trace is recorded. */
  readonly flags: string;
  /** What tracing systems pass along with it. */
  readonly state?: string | undefined;
}

/** Characters of a `traceparent`: version 00 has exactly 55, later ones may have more. */
const MAX_PARENT = 256;

/** Characters of a `tracestate` that are passed on; the specification asks for 512 at least. */
const MAX_STATE = 512;

const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads the trace of a request; undefined when it has none, or one that breaks the rules of the specification. */
export function readTrace(headers: Headers): TraceContext | undefined {
  const given = headers.get("traceparent")?.trim() ?? "";
  if (given.length > MAX_PARENT) return undefined;
  const [, version, traceId, parentId, flags, more] = PARENT.exec(given) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  const state = headers.get("tracestate")?.trim() ?? "";
  const isPassed = state !== "" && state.length <= MAX_STATE && /^[\x20-\x7e]+$/.test(state);
  return { traceId, parentId, flags, ...(isPassed && { state }) };
}

/** Headers for a request as a new span: of the given trace, or of a new trace if there is none. */
export function traceHeaders(trace: TraceContext | undefined): Record<string, string> {
  // A new trace is not sampled: nobody asked for it. Its id appears in the log of every server on the way.
  const { traceId = randomHex(16), flags = "00", state } = trace ?? {};
  return {
    traceparent: `00-${traceId}-${randomHex(8)}-${Number.parseInt(flags, 16) & 1 ? "01" : "00"}`,
    ...(state !== undefined && { tracestate: state }),
  };
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
