/**
 * Human-readable sizes.
 *
 * @module
 */

/** Such as `3.5 GiB`, rounded up so that a reported shortfall is always enough. */
export function showBytes(bytes: number): string {
  const [size, unit] = bytes >= 2 ** 30
    ? [bytes / 2 ** 30, "GiB"]
    : bytes >= 2 ** 20
    ? [bytes / 2 ** 20, "MiB"]
    : [bytes / 2 ** 10, "KiB"];
  return `${Math.ceil(size * 10) / 10} ${unit}`;
}
