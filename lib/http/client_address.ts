/**
 * What counts as one client.
 *
 * @module
 */

/**
 * The address under which a client is counted: an IPv4 address, also when it is mapped into IPv6, or the first 64 bits
 * of an IPv6 address, all of whose other bits one client can choose.
 */
export function clientAddress(peer: string): string {
  const address = peer.toLowerCase().replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (mapped) return mapped[1];
  if (!address.includes(":")) return address;
  const [head, tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
