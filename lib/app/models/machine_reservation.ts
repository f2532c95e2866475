/**
 * The share of the machine that a server of models holds while it lives.
 *
 * @module
 */
import { join } from "node:path";
import { MemoryGuard } from "../../api/scheduler/memory_guard.ts";
import type { GuardSettings, Machine, Ticket } from "../../api/scheduler/mod.ts";
import { appDirectory } from "../../platform/files/app_directory.ts";
import {
  acquirePermits,
  type HeldPermits,
  type PermitOptions,
  readBootID,
} from "../../platform/machine/machine_permits.ts";
import { memoryProbe } from "../../platform/machine/memory_probe.ts";

/** What a reservation depends on. */
export interface ReservationOptions {
  /** Shown to others, such as `api serve`. */
  readonly label: string;
  /** Judges how tight memory is. */
  readonly guard: GuardSettings;
  /** Hears a sentence for people, whenever something else has to be waited for. */
  readonly tell: (sentence: string) => void;
  /** A test brings its own machine, processes and folder; otherwise they are those of this user. */
  readonly permits?: Partial<PermitOptions>;
}

/**
 * Waits in line for the permits of a standard server; they are held until they are released or the process ends.
 *
 * @throws {PermitsRefusedError} when there is too little memory and nobody to wait for.
 * @throws the reason of `signal` when it aborts first.
 */
export async function reserveMachine(options: ReservationOptions, signal: AbortSignal): Promise<HeldPermits> {
  const { label, guard, tell, permits } = options;
  let told = "";
  const onWait = (before: readonly Ticket[]) => {
    const sentence = waitingSentence(before);
    if (sentence !== told) tell(sentence);
    told = sentence;
  };
  return await acquirePermits(
    { label, resourceClass: "standard" },
    {
      folder: join(appDirectory(), "admission"),
      machine: () => measureMachine(guard),
      bootID: await readBootID(),
      onWait,
      ...permits,
    },
    signal,
  );
}

/** What the machine has to give now. */
export async function measureMachine(guard: GuardSettings): Promise<Machine> {
  const { sample, pressure } = await new MemoryGuard(guard, memoryProbe(() => [])).read();
  return { physicalBytes: sample?.physicalBytes ?? Infinity, availableBytes: sample?.availableBytes, pressure };
}

function waitingSentence(before: readonly Ticket[]): string {
  const others = before.map(({ label, processID }) => `${label} (process ${processID})`);
  return others.length === 0
    ? "Waiting for memory, Ctrl+C gives up"
    : `Waiting for this machine: ${others.join(", ")} ${others.length === 1 ? "comes" : "come"} first, Ctrl+C gives up`;
}
