/**
 * Permits that the processes of one machine share, so that they do not all load models at once.
 *
 * @module
 */
import { optionError, PermitsRefusedError } from "../../errors/option_error.ts";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import {
  judgeTicket,
  type Machine,
  permitCapacity,
  permitsOf,
  type ResourceClass,
  type Ticket,
} from "../../scheduling/mod.ts";
import { type Processes, thisMachine } from "../../platform/processes/processes.ts";
import { locked, waitFor } from "../../platform/locks/locked.ts";

/** Milliseconds between two checks of the tickets while queued. */
const POLL_INTERVAL = 250;

/** Milliseconds to wait for other processes by default. */
const MAX_WAIT = 600_000;

/** Dependencies of the permits; tests replace processes and waits. */
export interface PermitOptions {
  /** The folder of the tickets, one file each, shared by all processes of a user. */
  readonly folder: string;
  /** Measures the machine's current resources. */
  readonly machine: () => Promise<Machine>;
  readonly processes?: Processes;
  /** Identifies one boot of the machine; undefined where the system does not provide it. */
  readonly bootID?: string | undefined;
  /** Called while queued with the processes that hold permits and those ahead in the queue, whenever they change. */
  readonly onWait?: (before: readonly Ticket[]) => void;
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /**
   * Which of the processes that hold permits keep holding them, so that nobody waits for them. By default everybody may
   * end soon.
   */
  readonly staying?: ((holders: readonly Ticket[]) => Promise<readonly Ticket[]>) | undefined;
  /** Milliseconds to wait for other processes before this gives up; 10 minutes by default. */
  readonly maxWait?: number | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** A request for permits. */
export interface PermitRequest {
  /** Shown to other processes, such as `api serve onnx-text`. */
  readonly label: string;
  readonly resourceClass: ResourceClass;
}

/** Permits held by this process. */
export interface HeldPermits {
  readonly permits: number;
  /** Releases them; a second call does nothing. */
  release(): Promise<void>;
}

/** Tickets of this process; one with its id that is not among them is from before a reboot. */
const ours = new Set<string>();

/**
 * Queues for permits, first come, first served. Permits of dead processes are reclaimed.
 *
 * @throws {PermitsRefusedError} when there is too little memory and no process to wait for, or after `maxWait`.
 * @throws the reason of `signal` when it aborts first.
 */
export async function acquirePermits(
  request: PermitRequest,
  options: PermitOptions,
  signal: AbortSignal,
): Promise<HeldPermits> {
  const { folder, machine, processes = thisMachine, bootID, onWait, wait = waitFor } = options;
  const { maxWait = MAX_WAIT, now: clock = () => performance.now() } = options;
  const startedAt = clock();
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
      const staying = await options.staying?.(tickets.filter(({ admittedAt }) => admittedAt !== undefined)) ?? [];
      if (verdict.kind === "wait" && staying.length > 0 && judgeTicket(ticket, staying, now).kind === "wait") {
        const reason = `${showTickets(staying)} ${
          staying.length > 1 ? "run" : "runs"
        } models already and will not end soon, use it or end it`;
        throw new PermitsRefusedError(`Cannot start ${request.label}: ${reason}`);
      }
      if (verdict.kind === "refuse") throw new PermitsRefusedError(`Cannot start ${request.label}: ${verdict.reason}`);
      const before = tickets.filter(({ admittedAt, number }) => admittedAt !== undefined || number < ticket.number);
      if (clock() - startedAt >= maxWait) {
        const waited = `waited ${Math.round(maxWait / 1000)} s for ${showTickets(before)}`;
        throw optionError(
          (name) =>
            `Cannot start ${request.label}: ${waited}; end it${
              options.staying ? "" : ` or raise ${name("maxWaitSeconds")}`
            }`,
          (message) => new PermitsRefusedError(message),
        );
      }
      onWait?.(before);
      await wait(POLL_INTERVAL, signal);
    }
  } catch (error) {
    await release();
    throw error;
  }
}

/** Names processes for people: `api serve (process 12) on this machine`. */
export function showTickets(tickets: readonly Ticket[]): string {
  return `${tickets.map(({ label, processID }) => `${label} (process ${processID})`).join(", ")} on this machine`;
}

/** The tickets of living processes in queue order; those of others are removed if this is called under the lock. */
async function liveTickets(folder: string, processes: Processes, bootID: string | undefined): Promise<Ticket[]> {
  const tickets: Ticket[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Its writer has died: tickets are written one at a time. Others prepare locks under such names in this folder.
    if (name.endsWith(".json.tmp")) await rm(path, { force: true });
    if (!name.endsWith(".json")) continue;
    const ticket = readTicket(await readFile(path, "utf8").catch(() => ""));
    if (ticket && isAlive(ticket, processes, bootID)) tickets.push(ticket);
    else await rm(path, { force: true });
  }
  return tickets.sort((a, b) => a.number - b.number);
}

function isAlive(ticket: Ticket, processes: Processes, bootID: string | undefined): boolean {
  if (ticket.bootID !== bootID) return false; // from before a reboot
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

/** Replaces the file atomically, so that it is never read half written. */
async function writeTicket(path: string, ticket: Ticket): Promise<void> {
  await writeFile(`${path}.tmp`, JSON.stringify(ticket), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}
