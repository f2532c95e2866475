import assert from "node:assert/strict";
import { test } from "node:test";
import { readTrace, traceHeaders } from "../../lib/http/trace_context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const read = (traceparent: string, tracestate?: string) =>
  readTrace(new Headers({ traceparent, ...(tracestate !== undefined && { tracestate }) }));

test("a trace is read from a header that keeps the rules of W3C Trace Context", () => {
  const whole = { traceId: TRACE, parentId: SPAN, flags: "01" };
  assert.deepEqual(read(`00-${TRACE}-${SPAN}-01`), whole);
  assert.deepEqual(read(`cc-${TRACE}-${SPAN}-01-what-the-future-brings`), whole);
  assert.deepEqual(read(`00-${TRACE}-${SPAN}-01`, "vendor=1,other=x"), { ...whole, state: "vendor=1,other=x" });
  assert.deepEqual(read(`00-${TRACE}-${SPAN}-01`, "v=".padEnd(513, "x")), whole, "a long state is dropped alone");
});

test("a header that breaks the rules is not a trace", () => {
  const wrong = [
    "",
    TRACE,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01-`,
    `cc-${TRACE}-${SPAN}-01more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-0g`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-${"x".repeat(100_000)}`,
  ];
  for (const header of wrong) assert.equal(read(header), undefined, header.slice(0, 80));
  assert.equal(readTrace(new Headers()), undefined);
});

test("a new span keeps the trace id, the sampling flag and the state, or starts a trace if there is none", () => {
  const { traceparent, tracestate } = traceHeaders({ traceId: TRACE, parentId: SPAN, flags: "ff", state: "v=1" });
  assert.match(traceparent, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  assert.ok(!traceparent.includes(SPAN));
  assert.equal(tracestate, "v=1");
  const [one, two] = [traceHeaders(undefined), traceHeaders(undefined)].map((headers) => new Headers(headers));
  assert.equal(readTrace(one)?.flags, "00");
  assert.notEqual(readTrace(one)?.traceId, readTrace(two)?.traceId);
});
