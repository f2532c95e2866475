/**
 * Servers of this user that are listening: each leaves its address in the application folder, where commands find it.
 *
 * @module
 */
import { isLoopback, requestPath } from "../http/access_policy.ts";
import type { Handler } from "../http/router.ts";
import { isObject } from "../json/json_text.ts";
import { findAppDirectory } from "../platform/files/app_directory.ts";
import { replaceFile } from "../platform/files/atomic_write.ts";
import { mkdir, readdir, readFile, rm } from "../platform/files/file_system.ts";
import { join } from "../platform/files/paths.ts";
import { type Processes, thisMachine } from "../platform/processes/processes.ts";
import { VERSION } from "../platform/processes/version.ts";

/** Kinds of servers. */
export type ServerKind = "api" | "world";

/** What a server leaves: nothing of it is a secret. */
export interface RunningServer {
  readonly kind: ServerKind;
  /** Its address on loopback; undefined for one that only listens on others. */
  readonly url: string | undefined;
  readonly pid: number;
  /** Id or name of the model that it was started with. */
  readonly model: string | undefined;
  readonly version: string;
  /** Distinguishes this run from others with the same address or process id. */
  readonly instance: string;
}

/** Where servers are noted; replaced by tests. */
export interface ServerPlaces {
  /** The folder of the notes; below the application folder by default. */
  readonly folder?: string | undefined;
  readonly processes?: Processes;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A note on disk: a server, and the scope in which its process id is valid. */
interface Note extends RunningServer {
  readonly scope: string | undefined;
  readonly startTime: string | undefined;
}

/** The header of `/health` with the instance of an announced server. */
export const INSTANCE_HEADER = "x-svc-instance";

/** A server on this machine answers within 50 ms even while a model runs. */
const PROBE_MILLISECONDS = 1000;

/** Longest note that is read, in bytes. */
const MAX_NOTE = 16 * 1024;

/** The address under which commands on this machine reach a server; undefined where they cannot by loopback. */
export function loopbackUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  if (hostname === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (hostname === "[::]") return `http://[::1]:${port}`;
  return isLoopback(hostname) ? url : undefined;
}

/** A server that commands can find. */
export interface Announcement {
  /** The server's handler, whose `/health` shows which server it is. */
  readonly fetch: Handler["fetch"];
  /** Leaves the address as soon as the server listens; a folder that cannot be written to is no reason to stop. */
  listening(url: string): Promise<void>;
  /** Removes it. */
  end(): Promise<void>;
}

/** Makes a server known that `handler` answers for. */
export function announceServer(
  kind: ServerKind,
  handler: Handler & { readonly model: string | undefined },
  places: ServerPlaces = {},
): Announcement {
  const instance = crypto.randomUUID();
  const { folder = serversFolder(), processes = thisMachine } = places;
  const path = folder === undefined ? undefined : join(folder, `${instance}.json`);
  return {
    fetch: async (request, peer) => {
      const response = await handler.fetch(request, peer);
      if (requestPath(request) === "/health") response.headers.set(INSTANCE_HEADER, instance);
      return response;
    },
    async listening(url) {
      if (folder === undefined || path === undefined) return;
      const { pid } = processes;
      const note: Note = {
        ...{ kind, url: loopbackUrl(url), pid, model: handler.model, version: VERSION, instance },
        ...{ scope: await processes.scope?.(), startTime: processes.startTime?.(pid) },
      };
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await replaceFile(path, new TextEncoder().encode(`${JSON.stringify(note)}\n`), 0o600);
        await notes(places); // removes those of servers that have died
      } catch {
        // Commands then need --url.
      }
    },
    end: async () => {
      if (path !== undefined) await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** Servers whose processes run, without asking them. */
export async function notedServers(places: ServerPlaces = {}): Promise<readonly RunningServer[]> {
  return (await notes(places)).map(({ note }) => note);
}

/**
 * The servers of a kind that answer, the oldest first. One that another server has taken the address or the process id of
 * is known by its answer, and its note is removed.
 */
export async function findServers(kind: ServerKind, places: ServerPlaces = {}): Promise<readonly RunningServer[]> {
  const found = (await notes(places)).filter(({ note }) => note.kind === kind);
  const answers = await Promise.all(found.map(async ({ note, path }) => {
    if (note.url === undefined) return note;
    const answer = await instanceAt(note.url, places.fetch);
    if (answer === "gone" || (answer !== "silent" && answer !== note.instance)) await rm(path, { force: true });
    return answer === note.instance ? note : undefined;
  }));
  return answers.filter((note) => note !== undefined);
}

/** The instance that answers at an address; `silent` where none does in time, `gone` where nothing listens. */
async function instanceAt(
  url: string,
  send: NonNullable<ServerPlaces["fetch"]> = fetch,
): Promise<string> {
  const signal = AbortSignal.timeout(PROBE_MILLISECONDS);
  try {
    const response = await send(new Request(`${url}/health`, { signal, redirect: "error" }));
    await response.body?.cancel();
    return response.headers.get(INSTANCE_HEADER) ?? "gone";
  } catch {
    return signal.aborted ? "silent" : "gone";
  }
}

function serversFolder(): string | undefined {
  const folder = findAppDirectory();
  return folder === undefined ? undefined : join(folder, "servers");
}

/** The notes of processes that run. Those that have ended are removed, those of other machines passed over. */
async function notes(
  { folder = serversFolder(), processes = thisMachine }: ServerPlaces,
): Promise<{ readonly note: Note; readonly path: string }[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder).catch(() => []);
  const scope = await processes.scope?.();
  const found: { note: Note; path: string }[] = [];
  for (const name of names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).sort()) {
    const path = join(folder, name);
    const note = readNote(await readFile(path, "utf8").catch(() => ""));
    if (note === undefined || note.scope !== scope) continue;
    const startTime = processes.startTime?.(note.pid);
    if (processes.isRunning(note.pid) && startTime === note.startTime) found.push({ note, path });
    else await rm(path, { force: true }).catch(() => {});
  }
  return found;
}

/** Reads a note; undefined for anything else, and for an address that is not on loopback. */
function readNote(text: string): Note | undefined {
  if (text.length > MAX_NOTE) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { kind, url, pid, model, version, instance, scope, startTime } = value;
  const isText = (one: unknown): one is string | undefined => one === undefined || typeof one === "string";
  if ((kind !== "api" && kind !== "world") || !Number.isSafeInteger(pid) || Number(pid) <= 0) return undefined;
  if (typeof instance !== "string" || typeof version !== "string") return undefined;
  if (![url, model, scope, startTime].every(isText)) return undefined;
  if (typeof url === "string" && !isHere(url)) return undefined;
  return value as unknown as Note;
}

function isHere(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return protocol === "http:" && isLoopback(hostname) && origin === url;
}
