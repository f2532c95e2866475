/**
 * The share of the machine that a model server reserves while it runs.
 *
 * @module
 */
import { join } from "../../platform/files/paths.ts";
import { MemoryGuard } from "../../scheduling/memory/memory_guard.ts";
import type { GuardSettings, Machine, Ticket } from "../../scheduling/mod.ts";
import { appDirectory } from "../../platform/files/app_directory.ts";
import { acquirePermits, type HeldPermits, type PermitOptions, showTickets } from "./machine_permits.ts";
import { notedServers } from "../running_servers.ts";
import { readBootID } from "../../platform/machine/machine_state.ts";
import { memoryProbe } from "../../platform/machine/memory_probe.ts";

/** The label of servers. */
export const SERVER_LABEL = "api serve";

/** What a reservation depends on. */
export interface ReservationOptions {
  /** Shown to other processes, such as `api serve`. */
  readonly label: string;
  /** Determines the memory pressure. */
  readonly guard: GuardSettings;
  /** Called with a sentence for the user whenever the reason to wait changes. */
  readonly notify: (sentence: string) => void;
  /** Seconds to wait for other processes; 600 by default. */
  readonly maxWaitSeconds?: number | undefined;
  /** Whether it waits for servers that are listening, which end when their user ends them; it does by default. */
  readonly waitForServers?: boolean | undefined;
  /** Bytes of the files of the model that is loaded at the start; none by default. */
  readonly modelBytes?: number | undefined;
  /** Replaced by tests; by default those of this user. */
  readonly permits?: Partial<PermitOptions>;
}

/**
 * Queues for the permits of a standard server, or for all of them when the server's model fills more than half of the
 * machine's memory, so that nothing else starts beside it; they are held until they are released or the process exits.
 *
 * @throws {PermitsRefusedError} when there is too little memory and no process to wait for, or after `maxWaitSeconds`.
 * @throws the reason of `signal` when it aborts first.
 */
export async function reserveMachine(options: ReservationOptions, signal: AbortSignal): Promise<HeldPermits> {
  const { label, guard, notify, maxWaitSeconds, waitForServers = true, modelBytes = 0, permits } = options;
  const { machine = () => measureMachine(guard) } = permits ?? {};
  let last = "";
  const onWait = (before: readonly Ticket[]) => {
    const sentence = `Waiting for ${showTickets(before)}; end it to continue now, or press Ctrl+C to cancel`;
    if (sentence !== last) notify(sentence);
    last = sentence;
  };
  const { physicalBytes } = await machine();
  return await acquirePermits(
    { label, resourceClass: modelBytes > physicalBytes / 2 ? "large" : "standard" },
    {
      folder: join(appDirectory(), "admission"),
      machine,
      bootID: await readBootID(),
      onWait,
      staying: waitForServers ? undefined : stayingServers,
      maxWait: maxWaitSeconds === undefined ? undefined : maxWaitSeconds * 1000,
      ...permits,
    },
    signal,
  );
}

/** Milliseconds that a server takes at most from its permits until it listens, which it does before it loads. */
const START = 30_000;

/** Holders that are servers and have started. Some do not publish their address. */
async function stayingServers(holders: readonly Ticket[]): Promise<readonly Ticket[]> {
  const listening = new Set((await notedServers()).map(({ pid }) => pid));
  return holders.filter(({ processID, label, admittedAt }) =>
    listening.has(processID) ||
    label === SERVER_LABEL && Date.now() - Date.parse(admittedAt ?? "") > START
  );
}

/** The machine's current resources. */
export async function measureMachine(guard: GuardSettings): Promise<Machine> {
  const { sample, pressure } = await new MemoryGuard(guard, memoryProbe(() => [])).read();
  return { physicalBytes: sample?.physicalBytes ?? Infinity, availableBytes: sample?.availableBytes, pressure };
}
