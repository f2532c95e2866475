/**
 * Permits that the processes of one machine share, so that they do not all load models at once.
 *
 * @module
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  judgeTicket,
  type Machine,
  permitCapacity,
  permitsOf,
  type ResourceClass,
  type Ticket,
} from "../../api/scheduler/mod.ts";
import { type Processes, thisMachine } from "../processes/processes.ts";
import { locked } from "../locks/locked.ts";
import { waitFor } from "../locks/wait_for.ts";

/** Milliseconds between two looks at the tickets while one waits. */
const POLL_INTERVAL = 250;

/** The machine is too busy; the message says what is missing. */
export class PermitsRefusedError extends Error {
  override name = "PermitsRefusedError";
}

/** What the permits depend on; a test brings its own processes and waits. */
export interface PermitOptions {
  /** Where the tickets lie, one file each: a folder that all processes of a user share. */
  readonly folder: string;
  /** What the machine has to give now. */
  readonly machine: () => Promise<Machine>;
  readonly processes?: Processes;
  /** Tells one start of the machine from another; undefined where the system does not. */
  readonly bootID?: string | undefined;
  /** Hears, whenever it has to wait, of those that hold permits and those that came earlier. */
  readonly onWait?: (before: readonly Ticket[]) => void;
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** What a process asks for. */
export interface PermitRequest {
  /** Shown to others, such as `api serve onnx-text`. */
  readonly label: string;
  readonly resourceClass: ResourceClass;
}

/** Permits that this process holds. */
export interface HeldPermits {
  readonly permits: number;
  /** Gives them back; a second call does nothing. */
  release(): Promise<void>;
}

/** Tickets of this process; one with its number that is not among them is from before a restart. */
const ours = new Set<string>();

/**
 * Waits in line for permits, first come, first served. Those of a process that has died are free again.
 *
 * @throws {PermitsRefusedError} when there is too little memory and nobody to wait for.
 * @throws the reason of `signal` when it aborts first.
 */
export async function acquirePermits(
  request: PermitRequest,
  options: PermitOptions,
  signal: AbortSignal,
): Promise<HeldPermits> {
  const { folder, machine, processes = thisMachine, bootID, onWait, wait = waitFor } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { physicalBytes } = await machine();
  const id = crypto.randomUUID();
  const path = join(folder, `${id}.json`);
  const release = async () => {
    await rm(path, { force: true });
    ours.delete(id);
  };
  ours.add(id);
  try {
    let ticket = await locked(folder, options, signal, async () => {
      const numbers = (await liveTickets(folder, processes, bootID)).map(({ number }) => number);
      const queued: Ticket = {
        id,
        processID: processes.pid,
        ...(bootID === undefined ? {} : { bootID }),
        ...request,
        permits: permitsOf(request.resourceClass, permitCapacity(physicalBytes)),
        number: Math.max(0, ...numbers) + 1,
        queuedAt: new Date().toISOString(),
      };
      await writeTicket(path, queued);
      return queued;
    });
    for (;;) {
      const now = await machine();
      const { tickets, ...verdict } = await locked(folder, options, signal, async () => {
        const tickets = await liveTickets(folder, processes, bootID);
        const judged = judgeTicket(ticket, tickets, now);
        if (judged.kind === "admit") ticket = { ...ticket, admittedAt: new Date().toISOString() };
        if (judged.kind === "admit") await writeTicket(path, ticket);
        return { ...judged, tickets };
      });
      if (verdict.kind === "admit") return { permits: ticket.permits, release };
      if (verdict.kind === "refuse") throw new PermitsRefusedError(`Cannot start ${request.label}: ${verdict.reason}`);
      onWait?.(tickets.filter(({ admittedAt, number }) => admittedAt !== undefined || number < ticket.number));
      await wait(POLL_INTERVAL, signal);
    }
  } catch (error) {
    await release();
    throw error;
  }
}

/** The tickets of living processes, next first; those of others are removed when this is called under the lock. */
async function liveTickets(folder: string, processes: Processes, bootID: string | undefined): Promise<Ticket[]> {
  const tickets: Ticket[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith(".tmp")) await rm(path, { force: true }); // its writer has died: tickets are written one at a time
    if (!name.endsWith(".json")) continue;
    const ticket = readTicket(await readFile(path, "utf8").catch(() => ""));
    if (ticket && isAlive(ticket, processes, bootID)) tickets.push(ticket);
    else await rm(path, { force: true });
  }
  return tickets.sort((a, b) => a.number - b.number);
}

function isAlive(ticket: Ticket, processes: Processes, bootID: string | undefined): boolean {
  if (ticket.bootID !== bootID) return false; // from before the machine was started
  if (ticket.processID === processes.pid) return ours.has(ticket.id);
  return processes.isRunning(ticket.processID);
}

function readTicket(text: string): Ticket | undefined {
  try {
    const ticket = JSON.parse(text) as Ticket;
    return Number.isInteger(ticket.processID) && Number.isInteger(ticket.number) && ticket.permits > 0
      ? ticket
      : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file in one step, so that it is never seen half written. */
async function writeTicket(path: string, ticket: Ticket): Promise<void> {
  await writeFile(`${path}.tmp`, JSON.stringify(ticket), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

/** Tells one start of this machine from another; undefined where the system does not. */
export async function readBootID(): Promise<string | undefined> {
  const text = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => undefined);
  return text?.trim();
}
