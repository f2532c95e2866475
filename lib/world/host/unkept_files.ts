/**
 * What a server without a journal has made in a state directory: a list of its operations, by which the next start
 * removes what was useful to that server only, and nothing else.
 *
 * @module
 */
import { appendFile, readdir, readFile, rm, rmdir, stat, writeFile } from "../../platform/files/file_system.ts";
import { join } from "../../platform/files/paths.ts";
import { type ArtifactKind, artifactKinds, endsWithSession, OwnFiles, type OwnRun } from "../session/artifacts.ts";

/** The list, a line an operation: `transition 4`. */
const LIST = "unkept.list";

/** Largest list that is read; a larger one is not ours. */
const MAX_LIST = 64 * 2 ** 20;

/** Notes that an operation is about to write files. */
export async function noteUnkept(folder: string, kind: ArtifactKind, number: number): Promise<void> {
  await appendFile(join(folder, LIST), `${kind} ${number}\n`, { mode: 0o600 });
}

/**
 * Removes from a world's folder what a killed server without a journal has left: kept frames, checkpoints, videos of
 * walks, and chunks of a move that did not end. Finished videos and pictures stay.
 *
 * @returns The last number that it gave to a file; 0 when there was no such server.
 */
export async function removeUnkept(folder: string): Promise<number> {
  const own = await readList(folder);
  if (!own) return 0;
  const names = new Set(await readdir(folder));
  const isUnfinished = (name: string): boolean =>
    name.endsWith(".chunks") && !names.has(name.replace(/\.chunks$/, ".mp4"));
  for (const name of names) {
    if (own.has(name) && (endsWithSession(name) || isUnfinished(name))) await remove(folder, name);
  }
  const [kind, first, count] = own.runs().at(-1) ?? ["source", 0, 1];
  const last = first + count - 1;
  // A number is not given again, even if its files were removed.
  if (last > 0) await writeFile(join(folder, LIST), `${kind} ${last}\n`, { mode: 0o600 });
  return last;
}

/** Removes all that a server without a journal has made of a world besides the first, which has ended with it. */
export async function removeUnkeptWorld(folder: string): Promise<void> {
  const own = await readList(folder);
  if (!own) return;
  for (const name of await readdir(folder)) if (own.has(name)) await remove(folder, name);
  await remove(folder, LIST);
  await rmdir(folder).catch(() => {}); // files of others stay
}

async function readList(folder: string): Promise<OwnFiles | undefined> {
  const path = join(folder, LIST);
  const info = await stat(path).catch(() => undefined);
  if (!info?.isFile() || info.size > MAX_LIST) return undefined;
  const lines = (await readFile(path, "utf8")).split("\n");
  const runs = lines.flatMap((line): OwnRun[] => {
    const [kind, number] = line.split(" ");
    const isWhole = artifactKinds.some((known) => known === kind) && /^[1-9]\d{0,14}$/.test(number);
    return isWhole ? [[kind as ArtifactKind, Number(number), 1]] : []; // the last line may be cut
  });
  return new OwnFiles(runs);
}

async function remove(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { recursive: true, force: true });
}
