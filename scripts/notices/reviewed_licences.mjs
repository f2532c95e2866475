/**
 * The licences that what is published may have, added one by one, and how the terms of those that ask for more than a
 * notice are met. A licence that is not here fails tests/project/notices_test.ts: read it, then add it.
 *
 * What is not permissive, and what could stand in its place; none of it was tried: libmpg123 (`minimp3-wasm`, one release
 * so far), codec-parser (`libflacjs` for FLAC), libmp4v2 (minih264 alone, since mediabunny writes MP4; it needs a build of
 * its own), libvips. mediabunny's MPL-2.0 asks nothing of the files of others.
 */

/**
 * A licence by its SPDX identifier; `terms` says how they are met where a notice is not all; `shipped: false` is allowed only in
 * packages that users install by themselves.
 *
 * @type {Readonly<Record<string, { terms?: string, shipped?: false }>>}
 */
export const REVIEWED = {
  "0BSD": {},
  "Apache-2.0": {},
  "BSD-2-Clause": {},
  "BSD-3-Clause": {},
  "CC0-1.0": {},
  "ISC": {},
  "MIT": {},
  "NCSA": {},
  "Unlicense": {},
  "Zlib": {},
  "LGPL-2.1-only": {
    terms:
      "The library is an unmodified npm package, whose repository has its source; svc is MIT and public, so that " +
      "whoever changes the library installs theirs in its place, or builds the binary or the image again with it.",
  },
  "LGPL-3.0-or-later": {
    terms:
      "The library is an unmodified npm package or a shared library of its own, loaded when it is needed; nothing " +
      "forbids to replace or study it: npm installs another in its place, and `scripts/release/compile.mjs` and the " +
      "Containerfile build binary and image again with it. Its source is in the repository that is named here.",
  },
  "MPL-1.1": {
    terms: "No file under it is changed by svc; the source of the build is in the repositories named here.",
  },
  "MPL-2.0": {
    terms:
      "No file under it is changed by svc; the source is in the package or in the repository named here, also of " +
      "what is bundled into a page. Files of svc stay under MIT.",
  },
  "LicenseRef-Microsoft-DirectML": {
    terms: "Binaries of Microsoft in the Windows folder of ONNX Runtime, redistributed unmodified as its terms allow " +
      "(https://www.nuget.org/packages/Microsoft.AI.DirectML, https://github.com/microsoft/DirectXShaderCompiler).",
  },
  "LicenseRef-Microsoft-D3DCompiler": {
    terms:
      "A redistributable file of the Windows SDK, unmodified, in the package `webgpu`; of what is published only " +
      "the image for GPUs has it.",
  },
  "LGPL-2.0-or-later": { terms: "In a package that svc never ships: the user installs it.", shipped: false },
  "LGPL-2.1-or-later": { terms: "In a package that svc never ships: the user installs it.", shipped: false },
  "GPL-2.0-or-later": {
    terms: "In a package that svc never ships, and does not need: whoever passes it on with svc passes the whole on " +
      "under the GPL.",
    shipped: false,
  },
};

/**
 * The identifiers of an SPDX expression, all of them: of alternatives each has to be reviewed.
 *
 * @param {string} expression
 */
export function identifiersOf(expression) {
  return expression.replace(/[()]/g, " ").split(/\s+(?:AND|OR)\s+/).map((name) => name.trim());
}
