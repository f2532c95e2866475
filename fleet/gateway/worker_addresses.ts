/**
 * Where a gateway may ask for workers: records name the address of a worker, and whoever can write one could otherwise
 * lead a gateway, with its pool key and the bodies of its clients, to anything that it reaches.
 *
 * @module
 */
import { type Address, isWithin, LOOPBACK, NEVER, parseAddress, parseRange, type Range } from "./address_ranges.ts";

/** What the operator has said of the workers of a pool: a name, all names below one, or a range; and a port. */
interface HostRule {
  readonly pool: string;
  readonly host: { readonly name: string } | { readonly below: string } | { readonly range: Range };
  /** Any by default. */
  readonly port?: number;
}

/** What addresses are held to. */
export interface WorkerAddressesOptions {
  /** `POOL=HOST[:PORT]` each; without any, every pool may be anywhere but where none may be. */
  readonly rules: readonly string[];
  /** Whether workers may be on this machine without a rule: the broker is. */
  readonly isLocal: boolean;
  /** The gateway's own port, once it listens: never that of a worker on this machine. */
  readonly ownPort: () => number | undefined;
}

/** The addresses that the workers of each pool may have. */
export class WorkerAddresses {
  readonly #rules: readonly HostRule[];
  readonly #options: WorkerAddressesOptions;

  /** @throws {Error} for an invalid rule. */
  constructor(options: WorkerAddressesOptions) {
    this.#rules = options.rules.map(readRule);
    this.#options = options;
  }

  /** Why the worker of a pool is not asked at an address; undefined where it may be. */
  refusal(pool: string, text: string): string | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return "it is not an http or https address";
    if (url.username || url.password || url.search || url.hash) return "it has more than a host, a port and a path";
    const address = parseAddress(url.hostname);
    const port = portOf(url);
    const matches = (rule: HostRule): boolean =>
      rule.pool === pool && (rule.port ?? port) === port && matchesHost(rule, hostOf(url), address);
    if (this.#rules.length > 0 && !this.#rules.some(matches)) return `--worker-hosts has it not for pool ${pool}`;
    return address && this.#refusalOf(pool, address, port);
  }

  /** Whether a name of a worker of a pool may stand for an address. */
  mayBe(pool: string, url: string, address: string): boolean {
    const parsed = parseAddress(address);
    return parsed !== undefined && this.#refusalOf(pool, parsed, portOf(new URL(url))) === undefined;
  }

  #refusalOf(pool: string, address: Address, port: number): string | undefined {
    if (NEVER.some((range) => isWithin(address, range))) return "workers are never at such an address";
    if (!LOOPBACK.some((range) => isWithin(address, range))) return undefined;
    if (port === this.#options.ownPort()) return "it is the gateway's own";
    const isNamed = (rule: HostRule): boolean => rule.pool === pool && isLoopbackRule(rule);
    return this.#options.isLocal || this.#rules.some(isNamed) ? undefined : "it is on the gateway's own machine";
  }
}

/**
 * Reads `POOL=HOST[:PORT]`, where HOST is a name, `*.` and a name, an address, or a range such as 10.0.0.0/8 or
 * [fd00::/8].
 *
 * @throws {Error} for anything else.
 */
function readRule(text: string): HostRule {
  const [, pool, bracketed, plain, digits] = /^([a-z0-9-]+)=(?:\[([0-9a-fA-F:./]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/
    .exec(text.trim()) ?? [];
  const given = (bracketed ?? plain)?.toLowerCase();
  const port = digits === undefined ? undefined : Number(digits);
  const range = given === undefined ? undefined : parseRange(given);
  const isName = plain !== undefined && /^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(given!) &&
    !/^[0-9.]+$/.test(given!);
  if (pool === undefined || !range && !isName || port === 0 || (port ?? 0) > 65_535) {
    const what = "POOL=HOST or POOL=HOST:PORT, with a name, *.NAME, an address or a range such as 10.0.0.0/8";
    throw new Error(`"${text.slice(0, 200)}" is no place of workers, expected ${what}`);
  }
  const below = given!.startsWith("*.") ? given!.slice(1) : undefined;
  const host = range ? { range } : below !== undefined ? { below } : { name: given! };
  return { pool, host, ...(port !== undefined && { port }) };
}

function matchesHost({ host }: HostRule, name: string, address: Address | undefined): boolean {
  if ("range" in host) return address !== undefined && isWithin(address, host.range);
  if (address) return false;
  return "name" in host ? name === host.name : name.endsWith(host.below) && name.length > host.below.length;
}

/** Whether a rule is of this machine: not one that happens to hold it, as 0.0.0.0/0 does. */
function isLoopbackRule({ host }: HostRule): boolean {
  if ("name" in host) return host.name === "localhost";
  return "range" in host && LOOPBACK.some((range) => isWithin(host.range, range) && host.range.length >= range.length);
}

/** A name as DNS has it: without the dot at its end. */
function hostOf({ hostname }: URL): string {
  return hostname.toLowerCase().replace(/\.$/, "");
}

function portOf({ port, protocol }: URL): number {
  return port === "" ? protocol === "https:" ? 443 : 80 : Number(port);
}
