/**
 * Internet addresses and ranges of them, of both versions.
 *
 * @module
 */

/** An address; one of version 4 is also found inside the addresses of version 6 that stand for it. */
export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** All addresses that begin as one does. */
export interface Range extends Address {
  /** Bits that are the same. */
  readonly length: number;
}

/**
 * Reads an address as URLs write it, with or without brackets.
 *
 * @returns undefined for anything else, such as a name.
 */
export function parseAddress(text: string): Address | undefined {
  const plain = text.replace(/^\[(.*)\]$/, "$1").replace(/%.*$/, "");
  if (!plain.includes(":")) return parseFour(plain);
  const url = `http://[${plain}]`;
  if (!URL.canParse(url)) return undefined;
  const [head, tail] = new URL(url).hostname.slice(1, -1).split("::").map((part) => part === "" ? [] : part.split(":"));
  const groups = tail === undefined ? head : [...head, ...Array(8 - head.length - tail.length).fill("0"), ...tail];
  const value = groups.reduce((sum, group) => sum << 16n | BigInt(`0x${group}`), 0n);
  return innerFour(value) ?? { bits: 128, value };
}

function parseFour(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return;
  return { bits: 32, value: parts.reduce((sum, part) => sum << 8n | BigInt(part), 0n) };
}

/** The address of version 4 that one of version 6 stands for: mapped, translated (NAT64) or through a tunnel (6to4). */
function innerFour(value: bigint): Address | undefined {
  const low = value & 0xffff_ffffn;
  const high = value >> 32n;
  const isMapped = high === 0xffffn || high === 0n && low > 1n;
  if (isMapped || high === 0x64_ff9bn << 64n) return { bits: 32, value: low };
  return value >> 112n === 0x2002n ? { bits: 32, value: value >> 80n & 0xffff_ffffn } : undefined;
}

/** Reads an address, or one with the length of what begins it: `10.0.0.0/8`. */
export function parseRange(text: string): Range | undefined {
  const [, base, digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = base === undefined ? undefined : parseAddress(base);
  if (!address) return undefined;
  const length = digits === undefined ? address.bits : Number(digits);
  return length <= address.bits ? { ...address, length } : undefined;
}

/** Whether an address is in a range. */
export function isWithin({ bits, value }: Address, range: Range): boolean {
  const rest = BigInt(range.bits - range.length);
  return bits === range.bits && value >> rest === range.value >> rest;
}

const ranges = (...texts: string[]): readonly Range[] => texts.map((text) => parseRange(text)!);

/** This machine. */
export const LOOPBACK: readonly Range[] = ranges("127.0.0.0/8", "::1");

/** Where no server is: no address, groups, link-local ones, and what clouds tell their machines' secrets at. */
export const NEVER: readonly Range[] = [
  ...ranges("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4", "::", "fe80::/10", "ff00::/8"),
  ...ranges("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::/32", "fd20:ce::254"),
];
