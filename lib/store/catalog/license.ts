/**
 * Model licenses.
 *
 * @module
 */

/** Licenses that require no more than attribution, by the ids of the hub; the values are those of SPDX. */
const permissive: ReadonlyMap<string, string> = new Map(Object.entries({
  "apache-2.0": "Apache-2.0",
  "mit": "MIT",
  "bsd-2-clause": "BSD-2-Clause",
  "bsd-3-clause": "BSD-3-Clause",
  "isc": "ISC",
  "zlib": "Zlib",
  "unlicense": "Unlicense",
  "cc0-1.0": "CC0-1.0",
  "cc-by-4.0": "CC-BY-4.0",
  "cdla-permissive-2.0": "CDLA-Permissive-2.0",
}));

/** The SPDX identifier if there is one, else the hub's own name. */
export function licenseName(hubLicense: string): string {
  return permissive.get(hubLicense.toLowerCase()) ?? hubLicense;
}

/** Whether the license must be accepted before the model is used; an unknown license may require anything. */
export function needsAcceptance(license: string | undefined, gated: boolean): boolean {
  return gated || license === undefined || !permissive.has(license.toLowerCase());
}
