/**
 * Who may use a server: host names against DNS rebinding, origins of web pages, keys.
 *
 * @module
 */
import type { ErrorCodeOf } from "../errors/error_table.ts";
import { SvcError } from "../errors/svc_error.ts";
import { WrongKeys } from "./wrong_keys.ts";

/** Options of {@linkcode AccessPolicy}. */
interface AccessOptions {
  /** The bearer token; without one, only clients on this machine are served. */
  readonly apiKey?: string | undefined;
  /** Whether this is the SHA-256 of another bearer token that is right, decided in constant time. */
  readonly accepts?: ((digest: Uint8Array) => boolean) | undefined;
  /** Origins besides those of this machine whose pages may read answers; `*` for all. */
  readonly allowOrigins?: readonly string[];
  /** Slows down wrong keys. */
  readonly wrongKeys?: WrongKeys;
}

/**
 * Decides about requests before any of their content is read.
 *
 * @example
 * ```ts
 * import { AccessPolicy } from "./access_policy.ts";
 * const policy = new AccessPolicy({ apiKey: "secret", allowOrigins: ["https://app.example.com"] });
 * console.assert(policy.allowsOrigin("http://localhost:3000") && !policy.allowsOrigin("https://example.com"));
 * await policy.checkToken(new Request("http://world/", { headers: { authorization: "Bearer secret" } }), "127.0.0.1");
 * ```
 */
export class AccessPolicy {
  readonly #keyDigest: Promise<Uint8Array> | undefined;
  readonly #accepts: ((digest: Uint8Array) => boolean) | undefined;
  readonly #origins: ReadonlySet<string>;
  readonly #wrongKeys: WrongKeys;

  constructor({ apiKey, accepts, allowOrigins = [], wrongKeys = new WrongKeys() }: AccessOptions) {
    const key = apiKey?.trim();
    this.#keyDigest = key ? digest(key) : undefined;
    this.#accepts = accepts;
    this.#origins = new Set(allowOrigins);
    this.#wrongKeys = wrongKeys;
  }

  /** Whether web pages of all origins may send requests. */
  get allowsEveryOrigin(): boolean {
    return this.#origins.has("*");
  }

  /** Whether web pages of this origin may send requests and read answers. */
  allowsOrigin(origin: string): boolean {
    if (this.#origins.has("*") || this.#origins.has(origin)) return true;
    return URL.canParse(origin) && isLoopback(new URL(origin).hostname);
  }

  /**
   * Checks host, peer and origin.
   *
   * @param peer Address at the other end of the socket; forwarded headers never count.
   * @throws {SvcError} 403
   */
  checkSource(request: Request, peer: string): void {
    if (!this.#keyDigest && !this.#accepts) {
      const host = hostOf(request);
      if (!URL.canParse(`http://${host}`) || !isLoopback(new URL(`http://${host}`).hostname)) {
        throw forbidden("host_not_allowed", `the host ${JSON.stringify(host)} is not a name of this machine`);
      }
      if (!isLoopback(peer)) throw forbidden("peer_not_allowed", "it comes from another machine");
    }
    const origin = request.headers.get("origin");
    // Images, videos and links of a page come without an origin; a person who follows a link to a page may do so.
    const isEmbedded = request.headers.get("sec-fetch-site") === "cross-site" &&
      request.headers.get("sec-fetch-mode") !== "navigate";
    if (origin === null && isEmbedded && !this.#origins.has("*")) {
      throw forbidden("origin_not_allowed", "it comes from a page of another site, without its origin");
    }
    if (origin !== null && !this.allowsOrigin(origin) && !isOwnOrigin(origin, hostOf(request))) {
      throw forbidden("origin_not_allowed", `the origin ${JSON.stringify(origin)} is not one that the server allows`);
    }
  }

  /**
   * Checks the key in constant time. A valid one never waits; replies to wrong ones are delayed progressively for each
   * client.
   *
   * @param peer Address at the other end of the socket.
   * @param other A header that may have the key in place of the bearer token.
   * @param prefix What stands before the key in a list of that header.
   * @throws {SvcError} 401, with `Retry-After` where too many answers to wrong keys wait already.
   */
  async checkToken(request: Request, peer: string, other?: string, prefix = ""): Promise<void> {
    if (!this.#keyDigest && !this.#accepts) return;
    const header = request.headers.get("authorization");
    const bare = other === undefined ? null : listed(request.headers.get(other), prefix);
    const bearer = /^bearer (.*)$/i.exec(header ?? "")?.[1];
    const accepted = await Promise.all([this.#isKey(bearer), this.#isKey(bare ?? undefined)]);
    if (accepted.includes(true)) return;
    const isMissing = header === null && bare === null;
    const wrong = header === null ? `key in ${other}` : "bearer token";
    const message = isMissing
      ? "Cannot accept the request: it has no Authorization header, expected a bearer token"
      : `Cannot accept the request: its ${wrong} is wrong`;
    const code = isMissing ? "missing_api_key" : "invalid_api_key";
    const retryAfter = isMissing ? 0 : await this.#wrongKeys.delay(peer, request.signal);
    const headers = {
      "www-authenticate": "Bearer",
      ...(retryAfter > 0 ? { "retry-after": String(retryAfter) } : {}),
    };
    throw new SvcError(code, message, { headers });
  }

  /** Compares in constant time; none is never right. */
  async #isKey(given = ""): Promise<boolean> {
    const key = given.trim();
    const [expected, found] = await Promise.all([this.#keyDigest, digest(key)]);
    const isOwn = expected?.reduce((difference, byte, i) => difference | (byte ^ found[i]), 0) === 0;
    const isOther = this.#accepts?.(found) ?? false;
    return key !== "" && (isOwn || isOther);
  }
}

/** The member of a header's list that begins with a prefix, without it; the whole header where there is no prefix. */
function listed(header: string | null, prefix: string): string | null {
  if (prefix === "" || header === null) return header;
  const member = header.split(",").map((one) => one.trim()).find((one) => one.startsWith(prefix));
  return member?.slice(prefix.length) ?? null;
}

function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

/** Whether a page came from this server itself; the scheme may differ behind a proxy. */
function isOwnOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

function forbidden(code: ErrorCodeOf<"permission_error">, reason: string): SvcError {
  return new SvcError(code, `Cannot accept the request: ${reason}`);
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** Whether a host name or address is loopback: 127.0.0.0/8, ::1, ::ffff:127.0.0.0/104 or `localhost`. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (name === "localhost" || name === "::1" || name === "0:0:0:0:0:0:0:1") return true;
  // URLs write a mapped address in hexadecimal: ::ffff:7f00:1 is 127.0.0.1.
  if (/^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name)) return true;
  const octets = name.replace(/^::ffff:/, "").split(".");
  return octets.length === 4 && octets[0] === "127" && octets.every((n) => /^\d{1,3}$/.test(n) && Number(n) < 256);
}

/** The path of a request as sent, without its query; works even if the `Host` header makes its URL invalid. */
export function requestPath({ url }: Request): string {
  return url.replace(/^[^/]*\/\/[^/?#]*/, "").replace(/[?#].*$/s, "") || "/";
}
