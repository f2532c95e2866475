/**
 * Packages whose types compilers must not see.
 *
 * @module
 */

/**
 * Imports an npm package by a name that compilers do not follow: some have sources in place of types, which other
 * settings than their own refuse. Deno takes its version too, as modules on a server have no list of imports.
 *
 * @param specifier Such as `@scope/name@1.2.3`.
 */
export async function importPackage(specifier: string): Promise<unknown> {
  const name = "Deno" in globalThis ? `npm:${specifier}` : specifier.slice(0, specifier.lastIndexOf("@"));
  return await import(name);
}

/**
 * As {@linkcode importPackage}, from where it is installed beside this program, also on Deno; modules on a server, beside
 * which nothing is, take it from the registry there.
 */
export async function importInstalled(specifier: string): Promise<unknown> {
  try {
    return await import(specifier.slice(0, specifier.lastIndexOf("@")));
  } catch (cause) {
    if (!("Deno" in globalThis) || import.meta.url.startsWith("file:")) throw cause;
    return await importPackage(specifier);
  }
}
