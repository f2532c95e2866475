/**
 * Private folders of running requests.
 *
 * @module
 */
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type Processes, thisMachine } from "../../processes/processes.ts";
import type { TemporaryDirectory } from "./temporary_directory.ts";

/** Folders of this process; one with its id that is not among them is of an earlier process with that id. */
const ours = new Set<string>();

/**
 * Creates a folder that only this user can read, for the uploads and results of one request. What processes that have
 * died left behind is removed by {@linkcode sweepWorkFolders}.
 *
 * @param root By default one for this user in the system's temporary directory.
 */
export async function makeWorkFolder(root: string = workRoot()): Promise<TemporaryDirectory> {
  await openRoot(root);
  const name = `${thisMachine.pid}-${crypto.randomUUID()}`;
  const path = join(root, name);
  ours.add(name);
  await mkdir(path, { mode: 0o700 });
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      ours.delete(name);
    },
  };
}

/** Removes the folders of processes that have ended; a server does so when it starts. */
export async function sweepWorkFolders(root: string = workRoot(), processes: Processes = thisMachine): Promise<void> {
  await openRoot(root);
  for (const name of await readdir(root)) {
    const owner = Number.parseInt(name);
    if (owner === processes.pid ? ours.has(name) : processes.isRunning(owner)) continue;
    await rm(join(root, name), { recursive: true, force: true });
  }
}

function workRoot(): string {
  return join(tmpdir(), `svc-work-${process.getuid?.() ?? "user"}`);
}

/** Where servers keep results that clients fetch later, each in a folder of its own as for running requests. */
export function artifactRoot(): string {
  return join(tmpdir(), `svc-artifacts-${process.getuid?.() ?? "user"}`);
}

/** The temporary directory is everybody's: a folder of this name that another user made is not used. */
async function openRoot(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const uid = process.getuid?.();
  const info = await lstat(root);
  const isOurs = info.isDirectory() && (uid === undefined || info.uid === uid);
  if (!isOurs) throw new Error(`Cannot use ${root}: it is not a folder of this user, remove it or set TMPDIR`);
}
