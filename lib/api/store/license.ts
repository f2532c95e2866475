/**
 * Licences of models.
 *
 * @module
 */

/** Licences that ask for no more than naming the authors, by the ids of the hub; the values are those of SPDX. */
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

/** The SPDX identifier where there is one, else the hub's own word. */
export function licenseName(hubLicense: string): string {
  return permissive.get(hubLicense.toLowerCase()) ?? hubLicense;
}

/** Whether somebody has to agree before the model is used; an unknown licence may ask for anything. */
export function needsAcceptance(license: string | undefined, gated: boolean): boolean {
  return gated || license === undefined || !permissive.has(license.toLowerCase());
}
