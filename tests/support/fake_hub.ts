import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A repository of a {@linkcode withHub}. */
export interface FakeRepository {
  readonly name: string;
  readonly commit?: string;
  readonly license?: string;
  /** Token that its files ask for. */
  readonly token?: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** A request as the hub got it: method, path and range. */
export interface HubRequest {
  readonly path: string;
  readonly range: string | undefined;
  readonly authorization: string | undefined;
  /** Whether it went to the storage of large files, which is another server. */
  readonly storage: boolean;
}

/** How the hub gives files; each test changes what it is about. */
export interface HubBehaviour {
  /** Ends the first connections for a large file after so many bytes of it. */
  cuts: number[];
  /** Answers a part of a file with the whole, as simple servers do. */
  ignoresRanges: boolean;
  /** Changes the bytes of files on their way. */
  spoil: ((path: string, bytes: Uint8Array) => Uint8Array) | undefined;
  /** More entries of the list of files. */
  entries: unknown[];
  /** Answers the first requests for files with these statuses. */
  statuses: number[];
}

/** A hub on this machine. */
export interface FakeHub {
  readonly url: string;
  readonly requests: HubRequest[];
  readonly behaviour: HubBehaviour;
}

export const COMMIT = "c0ffee".padEnd(40, "0");

/** Files of this size and more are large ones, which are in the storage. */
const LARGE = 100_000;

/** Runs work with a hub that has these repositories. */
export async function withHub(
  repositories: readonly FakeRepository[],
  work: (hub: FakeHub) => Promise<void>,
): Promise<void> {
  const requests: HubRequest[] = [];
  const behaviour: HubBehaviour = { cuts: [], ignoresRanges: false, spoil: undefined, entries: [], statuses: [] };
  const serve = (storage: boolean, answer: (request: IncomingMessage, response: ServerResponse) => void) =>
    createServer((request, response) => {
      const { range, authorization } = request.headers;
      requests.push({ path: request.url ?? "", range, authorization, storage });
      answer(request, response);
    });
  const storage = serve(true, (request, response) => {
    const [, name, path] = /^\/(.+?\/.+?)\/(.+)$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
    const bytes = repositories.find((one) => one.name === name)?.files[path];
    if (bytes) sendFile(request, response, path, bytes, behaviour);
    else response.writeHead(404).end();
  });
  const storageUrl = await listen(storage);
  const hub = serve(false, (request, response) => answerHub(request, response, repositories, behaviour, storageUrl));
  try {
    await work({ url: await listen(hub), requests, behaviour });
  } finally {
    for (const server of [hub, storage]) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  }
}

function answerHub(
  request: IncomingMessage,
  response: ServerResponse,
  repositories: readonly FakeRepository[],
  behaviour: HubBehaviour,
  storageUrl: string,
): void {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://hub");
  if (pathname === "/api/models") {
    const word = searchParams.get("search")?.toLowerCase() ?? "";
    const hits = repositories.filter(({ name, files }) =>
      name.toLowerCase().includes(word) &&
      Object.keys(files).some((path) => path.endsWith(`.${searchParams.get("filter")}`))
    );
    const body = hits.map(({ name }, i) => ({ _id: `${i}`, id: name, downloads: 7, likes: 0, gated: false }));
    return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
  const [, name, kind, revision, path] =
    /^\/(?:api\/models\/)?([^/]+\/[^/]+)\/(revision|tree|resolve)\/([^/]+)(?:\/(.+))?$/.exec(
      decodeURIComponent(pathname),
    ) ?? [];
  const repository = repositories.find((one) => one.name === name);
  const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  // As the hub does: a client without access gets no hint that a repository exists.
  if (!repository) return void json(401, { error: "Invalid username or password." });
  const { commit = COMMIT, license, token, files } = repository;
  if (!["main", commit].includes(revision)) return void json(404, { error: `Invalid rev id: ${revision}` });
  if (kind === "revision") {
    const cardData = license === undefined ? {} : { license };
    return void json(200, { _id: "1", id: name, sha: commit, gated: token ? "auto" : false, cardData });
  }
  if (kind === "tree") {
    const entries = Object.entries(files).map(([path, bytes]) => entryOf(path, bytes));
    return void json(200, [{ type: "directory", path: "onnx", size: 0 }, ...entries, ...behaviour.entries]);
  }
  if (token && request.headers.authorization !== `Bearer ${token}`) {
    return void json(403, { error: "Access to model is restricted" }, { "x-error-code": "GatedRepo" });
  }
  const status = behaviour.statuses.shift();
  if (status !== undefined) return void json(status, { error: "not now" });
  const bytes = files[path];
  if (!bytes) return void json(404, { error: "Entry not found" }, { "x-error-code": "EntryNotFound" });
  if (bytes.length < LARGE) return sendFile(request, response, path, bytes, behaviour);
  const location = `${storageUrl}/${name}/${path}`;
  response.writeHead(302, { location, "x-linked-size": `${bytes.length}`, "x-linked-etag": `"${sha256(bytes)}"` })
    .end();
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  whole: Uint8Array,
  behaviour: HubBehaviour,
): void {
  const bytes = behaviour.spoil?.(path, whole) ?? whole;
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? "") ?? [];
  const ranged = from !== undefined && !behaviour.ignoresRanges;
  const start = ranged ? Number(from) : 0;
  const part = bytes.subarray(start);
  const cut = bytes.length >= LARGE ? behaviour.cuts.shift() : undefined;
  response.writeHead(ranged ? 206 : 200, {
    "content-length": `${part.length}`,
    "etag": `"${sha256(bytes)}"`,
    ...(ranged ? { "content-range": `bytes ${start}-${start + part.length - 1}/${bytes.length}` } : {}),
  });
  if (cut === undefined) response.end(part);
  else response.write(part.subarray(0, cut), () => response.socket?.end());
}

function entryOf(path: string, bytes: Uint8Array): unknown {
  const large = bytes.length >= LARGE;
  return {
    ...{ type: "file", path, size: bytes.length, oid: large ? "0".repeat(40) : gitOid(bytes) },
    ...(large ? { lfs: { oid: sha256(bytes), size: bytes.length, pointerSize: 130 } } : {}),
  };
}

function gitOid(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
