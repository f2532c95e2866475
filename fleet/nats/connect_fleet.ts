/**
 * What every role of a fleet starts with: the broker, the folder that it shares with others, and the time.
 *
 * @module
 */
import { type BrokerOptions, connectBroker, type NatsBroker } from "./connect_broker.ts";
import { link, mkdir, readFile, rename, rm, writeFile } from "../../lib/platform/files/file_system.ts";
import { join } from "../../lib/platform/files/paths.ts";
import type { ClusterClock } from "../protocol/broker.ts";

/** The mark by which a shared folder belongs to one fleet. */
const MARK = "fleet.txt";

/**
 * Connects a role that writes to a fleet's folder, and marks the folder.
 *
 * @param folder The folder that workers share; none where blobs are in the broker.
 * @throws {Error} when the broker does not answer, or the folder belongs to another fleet.
 */
export async function connectFleet(options: BrokerOptions, folder: string | undefined): Promise<NatsBroker> {
  const broker = await connectBroker(options);
  try {
    if (folder !== undefined) await claimFolder(folder, broker.fleet);
    return broker;
  } catch (error) {
    await broker.close();
    throw error;
  }
}

/**
 * Marks a folder for a fleet, if it is not marked yet.
 *
 * @param fleet When the fleet was set up, which identifies it on its broker.
 * @throws {Error} when the folder belongs to another fleet.
 */
export async function claimFolder(folder: string, fleet: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (await markOf(folder) === undefined) {
    const own = join(folder, `.${crypto.randomUUID()}.tmp`);
    await writeFile(own, `${fleet}\n`, { mode: 0o600 });
    try {
      await link(own, join(folder, MARK)); // whole or not at all, and the first one wins
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EEXIST") await rename(own, join(folder, MARK)); // there are no links
    } finally {
      await rm(own, { force: true });
    }
  }
  await requireFolder(folder, fleet);
}

/**
 * Checks that a folder belongs to a fleet, before anything in it is removed.
 *
 * @throws {Error} when it belongs to another one, or to none.
 */
export async function requireFolder(folder: string, fleet: string): Promise<void> {
  const mark = await markOf(folder);
  if (mark === fleet) return;
  const [found, remedy] = mark === undefined
    ? [
      "no worker of this fleet has used it",
      "name the --blobs folder of the workers, and start one of them there first",
    ]
    : [
      `it belongs to a fleet that was set up at ${mark}, this one was at ${fleet}`,
      `name another folder, or remove ${join(folder, MARK)} if that fleet is gone and its files are not needed`,
    ];
  throw new Error(`Cannot use ${folder} for this fleet: ${found}; ${remedy}`);
}

async function markOf(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, MARK), "utf8")).trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The time of this machine: milliseconds since 1970 at the start, and from then on without leaps. */
export function fleetClock(): ClusterClock {
  return {
    now: () => performance.timeOrigin + performance.now(),
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        signal?.addEventListener("abort", end, { once: true });
      }),
  };
}
