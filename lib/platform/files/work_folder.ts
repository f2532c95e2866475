/**
 * Folders that are made for work: private, temporary, swept when their process is gone.
 *
 * @module
 */
import { access, chmod, constants, lstat, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { type Processes, thisMachine } from "../processes/processes.ts";

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

/**
 * Makes a folder and those above it. One after another: Node's own recursive call never ends where a folder can exist
 * but nothing can be made in it, as below `/proc`.
 *
 * @throws the system's error.
 */
export async function makeFolder(path: string): Promise<void> {
  for (const each of await missingFolders(path)) {
    await mkdir(each).catch((error) => {
      if (error.code !== "EEXIST") throw error; // another process was faster
    });
  }
}

/**
 * Makes a folder and those above it for this user alone, whatever the umask; what is there stays as it is.
 *
 * @throws the system's error.
 */
export async function makeOwnFolder(path: string): Promise<void> {
  for (const each of await missingFolders(path)) {
    try {
      await mkdir(each, { mode: 0o700 });
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
      continue; // another process was faster
    }
    // The umask may have taken rights of the user's own.
    await chmod(each, 0o700);
  }
}

/** The folders that do not exist on the way to a path, the outermost first. */
async function missingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = resolve(path);; at = dirname(at)) {
    const found = await stat(at).catch((error) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (found?.isDirectory()) break;
    if (found) throw Object.assign(new Error(`ENOTDIR: not a directory, '${at}'`), { code: "ENOTDIR", path: at });
    if (dirname(at) === at) break;
    missing.push(at);
  }
  return missing.reverse();
}

/** Creates a folder if necessary; returns what prevents writing into it, undefined when nothing does. */
export async function makePrivateFolder(path: string): Promise<string | undefined> {
  try {
    await makeOwnFolder(path);
    await access(path, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === "EEXIST" || code === "ENOTDIR") return "it is a file";
    return code === "EACCES" || code === "EPERM" || code === "EROFS" ? "permission denied" : message;
  }
}

/** A new private folder. */
export interface TemporaryDirectory {
  readonly path: string;
  /** Removes it with its contents. */
  remove(): Promise<void>;
}

/** Creates a folder in the system's temporary directory. */
export async function makeTemporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), "svc-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
