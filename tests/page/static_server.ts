/**
 * The plainest of web servers: files of a folder.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** With these, a page may share memory between threads. */
const ISOLATION = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** Options of {@link serveFolder}. */
export interface FolderOptions {
  /** With the headers that allow threads. */
  readonly isolated?: boolean;
  readonly prefix?: string;
  /** Text to put before files, by their paths: scripts that must run first, also in workers. */
  readonly before?: Readonly<Record<string, string>>;
}

/** A folder that is served. */
export interface ServedFolder {
  readonly url: string;
  /** Paths that were asked for and are not there. */
  readonly missing: string[];
  /** Bytes of the files that were sent, each counted once, by their paths. */
  readonly sent: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Serves a folder below a path, as hosts of project pages do. */
export async function serveFolder(
  folder: string,
  { isolated = false, prefix = "/project/", before = {} }: FolderOptions = {},
): Promise<ServedFolder> {
  const missing: string[] = [];
  const sent = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
    const name = join(folder, path.slice(prefix.length).replace(/(^|\/)$/, "$1index.html"));
    if (!path.startsWith(prefix) || !existsSync(name) || statSync(name).isDirectory()) {
      missing.push(path);
      response.writeHead(404).end();
      return;
    }
    sent.set(path.slice(prefix.length), statSync(name).size);
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, ...isolated && ISOLATION });
    response.end(Buffer.concat([Buffer.from(before[path.slice(prefix.length)] ?? ""), readFileSync(name)]));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}${prefix}`, missing, sent, close };
}
