/**
 * Addresses and names of this machine.
 *
 * @module
 */

/** Whether a host name or address is loopback: 127.0.0.0/8, ::1, ::ffff:127.0.0.0/104 or `localhost`. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  if (name === "localhost" || name === "::1" || name === "0:0:0:0:0:0:0:1") return true;
  // URLs write a mapped address in hexadecimal: ::ffff:7f00:1 is 127.0.0.1.
  if (/^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name)) return true;
  const octets = name.replace(/^::ffff:/, "").split(".");
  return octets.length === 4 && octets[0] === "127" && octets.every((n) => /^\d{1,3}$/.test(n) && Number(n) < 256);
}
