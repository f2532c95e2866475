/**
 * Admission between the processes of one machine.
 *
 * @module
 */
import { GIB, type Pressure } from "./memory_limits.ts";
import { showBytes } from "../../errors/show.ts";

/** The share of the machine that a process takes: `standard` is a server, `large` needs all of it. */
export type ResourceClass = "small" | "standard" | "large";

/** A process that waits for permits or holds them. */
export interface Ticket {
  readonly id: string;
  readonly processID: number;
  /** Identifies one boot of the machine, where the system provides it. */
  readonly bootID?: string;
  /** The kind of process, such as `api serve onnx-text`. */
  readonly label: string;
  readonly resourceClass: ResourceClass;
  readonly permits: number;
  /** Position in the queue: the smallest is next. */
  readonly number: number;
  /** ISO-8601. */
  readonly queuedAt: string;
  /** ISO-8601; absent while queued. */
  readonly admittedAt?: string;
}

/** The machine's resources. */
export interface Machine {
  readonly physicalBytes: number;
  /** Memory available without swapping; undefined when the system does not report it. */
  readonly availableBytes: number | undefined;
  readonly pressure: Pressure;
}

/** What to do with a ticket: admit it, keep it queued, or refuse it with a message. */
export type Verdict = { readonly kind: "admit" | "wait" } | { readonly kind: "refuse"; readonly reason: string };

/** The permits of a machine: 1 below 48 GiB of memory, 2 below 96, 4 below 192, else 6. */
export function permitCapacity(physicalBytes: number): number {
  const gib = physicalBytes / GIB;
  return gib < 48 ? 1 : gib < 96 ? 2 : gib < 192 ? 4 : 6;
}

/** The permits, out of `capacity`, that a process takes. */
export function permitsOf(resourceClass: ResourceClass, capacity: number): number {
  return { small: 1, standard: Math.min(2, capacity), large: capacity }[resourceClass];
}

/** Free memory that a process needs to start on a machine of at least 64 GiB; smaller machines scale it down. */
const freeGib: Record<ResourceClass, number> = { small: 6, standard: 16, large: 32 };

/** Free memory in bytes that a process needs to start. */
export function freeBytesNeeded(resourceClass: ResourceClass, physicalBytes: number): number {
  return freeGib[resourceClass] * Math.min(GIB, physicalBytes / 64);
}

/**
 * Judges a ticket against all others, strictly first come, first served. When memory is short a ticket waits for
 * earlier ones to end; it is refused when there are none to wait for, or when pressure is critical.
 */
export function judgeTicket(ticket: Ticket, tickets: readonly Ticket[], machine: Machine): Verdict {
  const others = tickets.filter(({ id }) => id !== ticket.id);
  const active = others.filter(({ admittedAt }) => admittedAt !== undefined);
  if (others.some(({ admittedAt, number }) => admittedAt === undefined && number < ticket.number)) {
    return { kind: "wait" };
  }
  const taken = active.reduce((sum, { permits }) => sum + permits, 0);
  if (taken + ticket.permits > permitCapacity(machine.physicalBytes)) return { kind: "wait" };
  if (machine.pressure === "critical") {
    return refuse("memory pressure is critical, end other programs and start again");
  }
  if (machine.pressure === "elevated" && active.length > 0) return { kind: "wait" };
  const needed = freeBytesNeeded(ticket.resourceClass, machine.physicalBytes);
  const { availableBytes = Infinity } = machine;
  if (availableBytes >= needed) return { kind: "admit" };
  if (active.length > 0) return { kind: "wait" };
  return refuse(
    `${showBytes(availableBytes)} of memory is free, expected ${showBytes(needed)}; end other programs and start again`,
  );
}

function refuse(reason: string): Verdict {
  return { kind: "refuse", reason };
}
