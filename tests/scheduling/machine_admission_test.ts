import assert from "node:assert/strict";
import { test } from "node:test";
import {
  freeBytesNeeded,
  judgeTicket,
  type Machine,
  permitCapacity,
  permitsOf,
  type Ticket,
} from "../../lib/scheduling/memory/machine_admission.ts";
import { GIB } from "../../lib/scheduling/memory/memory_limits.ts";

const machine: Machine = { physicalBytes: 64 * GIB, availableBytes: 50 * GIB, pressure: "nominal" };

function ticket(number: number, { active = false, ...fields }: Partial<Ticket> & { active?: boolean } = {}): Ticket {
  return {
    id: `t${number}`,
    processID: number,
    label: "api serve",
    resourceClass: "small",
    permits: 1,
    number,
    queuedAt: "2026-01-01T00:00:00.000Z",
    ...(active ? { admittedAt: "2026-01-01T00:00:00.000Z" } : {}),
    ...fields,
  };
}

test("permitCapacity() grows with the memory of the machine", () => {
  const gib = [1, 47.9, 48, 95.9, 96, 191.9, 192, 2048];
  assert.deepEqual(gib.map((size) => permitCapacity(size * GIB)), [1, 1, 2, 2, 4, 4, 6, 6]);
});

// @row model-api > Service > Rule 3: machine-wide permits, two for a standard server, all for a very large engine
test("permitsOf() gives a standard server two permits and an exclusive one all", () => {
  const of = (capacity: number) => (["small", "standard", "large"] as const).map((kind) => permitsOf(kind, capacity));
  assert.deepEqual([of(1), of(2), of(6)], [[1, 1, 1], [1, 2, 2], [1, 2, 6]]);
});

test("freeBytesNeeded() asks a machine of less than 64 GiB for less in proportion", () => {
  const of = (gib: number) =>
    (["small", "standard", "large"] as const).map((kind) => freeBytesNeeded(kind, gib * GIB) / GIB);
  assert.deepEqual([of(256), of(64), of(32)], [[6, 16, 32], [6, 16, 32], [3, 8, 16]]);
});

// @row model-api > Service > Rule 3: machine-wide permits, two for a standard server, all for a very large engine
test("judgeTicket() admits strictly in the order of arrival", () => {
  const line = [ticket(1, { active: true }), ticket(2, { permits: 2 }), ticket(3)];
  assert.equal(judgeTicket(line[1]!, line, machine).kind, "wait");
  assert.equal(judgeTicket(line[2]!, line, machine).kind, "wait");
  assert.equal(judgeTicket(line[1]!, line.slice(1), machine).kind, "admit");
});

// @row model-api > Service > Rule 3: machine-wide permits, two for a standard server, all for a very large engine
test("judgeTicket() admits as many as there are permits", () => {
  const line = [ticket(1, { active: true }), ticket(2)];
  assert.equal(judgeTicket(line[1]!, line, machine).kind, "admit");
  const full = [ticket(1, { active: true, permits: 2 }), ticket(2)];
  assert.equal(judgeTicket(full[1]!, full, machine).kind, "wait");
});

test("judgeTicket() refuses at critical pressure and waits at elevated pressure for others", () => {
  const line = [ticket(1, { active: true }), ticket(2)];
  const at = (pressure: Machine["pressure"], tickets: Ticket[]) =>
    judgeTicket(line[1]!, tickets, { ...machine, pressure });
  assert.equal(at("elevated", line).kind, "wait");
  assert.equal(at("elevated", line.slice(1)).kind, "admit");
  assert.deepEqual(at("critical", line.slice(1)), {
    kind: "refuse",
    reason: "memory pressure is critical, end other programs and start again",
  });
});

test("judgeTicket() waits for memory that others hold and refuses when no one else holds any", () => {
  const line = [ticket(1, { active: true }), ticket(2)];
  const judge = (gib: number, tickets: Ticket[]) =>
    judgeTicket(line[1]!, tickets, { ...machine, availableBytes: gib * GIB });
  assert.equal(judge(6, line).kind, "admit");
  assert.equal(judge(5.9, line).kind, "wait");
  assert.deepEqual(judge(5.9, line.slice(1)), {
    kind: "refuse",
    reason: "5.9 GiB of memory is free, expected 6 GiB; end other programs and start again",
  });
  assert.equal(judgeTicket(line[1]!, line, { ...machine, availableBytes: undefined }).kind, "admit");
});
