/**
 * Scripts that expect the variables of CommonJS where modules have none.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { fileOf, requireOf } from "./package_require.ts";

interface Scope {
  require?: unknown;
  __filename?: string;
}

/** Does work, such as an import, while `require` and `__filename` are global variables. One work at a time. */
export async function inCommonJsScope<T>(work: () => Promise<T>): Promise<T> {
  const scope = globalThis as Scope;
  const { require, __filename } = scope;
  scope.require = requireOf(import.meta.url);
  scope.__filename = fileURLToPath(fileOf(import.meta.url));
  try {
    return await work();
  } finally {
    Object.assign(scope, { require, __filename });
    if (require === undefined) delete scope.require;
    if (__filename === undefined) delete scope.__filename;
  }
}
