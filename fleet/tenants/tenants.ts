/**
 * The tenants of a gateway, and the keys of each.
 *
 * @module
 */
import { asSvcError, SvcError } from "../../lib/errors/svc_error.ts";
import { thisPlatform } from "../../lib/platform/files/app_directory.ts";
import { readFile, stat } from "../../lib/platform/files/file_system.ts";
import type { Log } from "../../lib/platform/processes/log.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { readTenants } from "./read_tenants.ts";
import type { Tenant } from "./tenant.ts";

/** Calls its argument once the key is revoked; returns a function that stops waiting for that. */
export type OnRevoked = (end: () => void) => () => void;

/** Milliseconds between two looks at the file. */
const LOOK = 500;

/** Bytes of the file. */
const MAX_BYTES = 16 * 2 ** 20;

/** Bits of a mode by which others could change the file, or strangers read it. */
const OTHERS = 0o027;

/** Those of a file, which is read again when it changes. */
export class Tenants {
  readonly #path: string;
  readonly #log: Log;
  readonly #open = new Set<{ readonly digest: Uint8Array; readonly end: () => void }>();
  #all: readonly Tenant[] = [];
  #version = "";
  #refused = "";

  private constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /**
   * Reads a file, and follows it until `signal` aborts.
   *
   * @throws {UsageError} when it cannot be used. A change that cannot be used is logged, and the tenants stay.
   */
  static async follow(path: string, log: Log, signal: AbortSignal): Promise<Tenants> {
    const tenants = new Tenants(path, log);
    await tenants.#read();
    void tenants.#look(signal);
    return tenants;
  }

  /** Whether this is the digest of a tenant's key. Takes the same time for every tenant. */
  accepts(digest: Uint8Array): boolean {
    return this.#find(digest) !== undefined;
  }

  /**
   * Whose request this is.
   *
   * @throws {SvcError} 403 for the key of the operator, 401 for one that has been removed meanwhile.
   */
  async of(request: Request): Promise<Tenant> {
    const tenant = this.#find(await digestOf(request));
    if (tenant) return tenant;
    const message = "Cannot answer this: the key is the operator's, which reads metrics alone, expected a tenant's key";
    throw new SvcError("key_not_allowed", message);
  }

  /** What to do when the key of a request is removed; it is done at once where that has happened already. */
  async onRevoked(request: Request): Promise<OnRevoked> {
    const digest = await digestOf(request);
    return (end) => {
      const entry = { digest, end };
      if (this.#find(digest)) this.#open.add(entry);
      else queueMicrotask(end);
      return () => void this.#open.delete(entry);
    };
  }

  #find(digest: Uint8Array): Tenant | undefined {
    let found: Tenant | undefined;
    for (const tenant of this.#all) {
      for (const key of tenant.keys) {
        let difference = key.length ^ digest.length;
        for (let i = 0; i < key.length; i++) difference |= key[i] ^ digest[i];
        if (difference === 0) found = tenant;
      }
    }
    return found;
  }

  async #read(): Promise<void> {
    const path = this.#path;
    const info = await stat(path).catch((error) => {
      throw new UsageError(`Cannot read the tenants of ${path}: ${(error as { code?: string }).code ?? "it failed"}`);
    });
    const version = `${info.ino} ${info.size} ${info.mtimeMs} ${info.ctimeMs}`;
    if (version === this.#version) return;
    this.#version = version;
    if (!info.isFile()) throw new UsageError(`Cannot read the tenants of ${path}: it is not a file`);
    if (info.size > MAX_BYTES) {
      throw new UsageError(`Cannot read the tenants of ${path}: ${info.size} bytes, expected at most ${MAX_BYTES}`);
    }
    const mode = info.mode & 0o777;
    // Windows has no such bits.
    if ((mode & OTHERS) !== 0 && thisPlatform().platform !== "win32") {
      const found = mode.toString(8).padStart(4, "0");
      throw new UsageError(
        `Cannot use the tenants of ${path}: its mode is ${found}, expected 0640 or less, run chmod 640 on it`,
      );
    }
    this.#all = readTenants(await readFile(path), path);
    for (const entry of [...this.#open]) {
      if (this.#find(entry.digest)) continue;
      this.#open.delete(entry);
      entry.end();
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          resolve();
        };
        const timer = setTimeout(end, LOOK);
        signal.addEventListener("abort", end);
      });
      if (signal.aborted) return;
      const before = this.#version;
      try {
        await this.#read();
        if (this.#version !== before) this.#log("info", "tenants_read", { tenants: this.#all.length });
        this.#refused = "";
      } catch (error) {
        const reason = error instanceof UsageError ? error.message : asSvcError(error).message;
        if (reason !== this.#refused) this.#log("error", "tenants_not_read", { reason });
        this.#refused = reason;
      }
    }
  }
}

/** The SHA-256 of the key that a request has. */
async function digestOf(request: Request): Promise<Uint8Array> {
  const given = /^bearer (.*)$/i.exec(request.headers.get("authorization") ?? "")?.[1].trim() ?? "";
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(given)));
}
