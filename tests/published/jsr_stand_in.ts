import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { readTar } from "../../scripts/read_tar.mjs";

/** The sum of a package's files that JSR takes, in bytes. */
export const JSR_LIMIT = 20 * 2 ** 20;

/** A package as it was published. */
export interface PublishedPackage {
  readonly version: string;
  /** Contents by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A registry in JSR's layout that takes what `deno publish` sends. */
export interface JsrStandIn {
  readonly url: string;
  /** Packages by name, such as `sdk`. */
  readonly packages: ReadonlyMap<string, PublishedPackage>;
  /** Paths that were asked for, in order. */
  readonly asked: string[];
  /** Takes it off the network, or puts it back. */
  setOnline(online: boolean): void;
  close(): Promise<void>;
}

const TYPES: Record<string, string> = { ts: "application/typescript", js: "text/javascript", json: "application/json" };

/** Starts one on a free port of the loopback interface. */
export async function startJsrStandIn(): Promise<JsrStandIn> {
  const packages = new Map<string, PublishedPackage>();
  const asked: string[] = [];
  let online = true;
  const server: Server = createServer((request, response) => {
    if (!online) return void request.socket.destroy();
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(request.url!.split("?")[0]);
    const json = (value: unknown, status = 200) =>
      void response.writeHead(status, { "content-type": TYPES.json }).end(JSON.stringify(value));
    const [, name, version] = /^\/api\/scopes\/svc\/packages\/([\w-]+)(?:\/versions\/([^/]+))?$/.exec(path) ?? [];
    if (name !== undefined) {
      if (request.method === "GET") return json({}, version === undefined ? 200 : 404);
      const parts: Uint8Array[] = [];
      for await (const part of request) parts.push(part);
      const files = new Map([...readTar(gunzipSync(Buffer.concat(parts)))].map(({ name, content }) => [name, content]));
      packages.set(name, { version, files });
      return json({ id: "00000000-0000-0000-0000-000000000000", status: "success", error: null });
    }
    asked.push(path);
    const content = contentOf(path);
    if (content === undefined) return void response.writeHead(404).end();
    const type = TYPES[/\w+$/.exec(path)![0]] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(content);
  }
  /** `/@svc/NAME/meta.json`, `/@svc/NAME/VERSION_meta.json` or `/@svc/NAME/VERSION/PATH`. */
  function contentOf(path: string): Uint8Array | string | undefined {
    const [, name, rest] = /^\/@svc\/([\w-]+)\/(.+)$/.exec(path) ?? [];
    const found = packages.get(name);
    if (found === undefined) return undefined;
    const { version, files } = found;
    if (rest === "meta.json") {
      return JSON.stringify({ scope: "svc", name, latest: version, versions: { [version]: {} } });
    }
    if (rest === `${version}_meta.json`) {
      const { exports } = JSON.parse(new TextDecoder().decode(files.get("deno.json")));
      const manifest = Object.fromEntries(
        [...files].map(([file, content]) => [`/${file}`, {
          size: content.length,
          checksum: `sha256-${createHash("sha256").update(content).digest("hex")}`,
        }]),
      );
      return JSON.stringify({ exports: typeof exports === "string" ? { ".": exports } : exports, manifest });
    }
    return rest.startsWith(`${version}/`) ? files.get(rest.slice(version.length + 1)) : undefined;
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    packages,
    asked,
    setOnline: (on) => {
      online = on;
      if (!on) server.closeAllConnections();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
