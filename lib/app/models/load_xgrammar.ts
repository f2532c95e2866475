/**
 * Loads xgrammar on demand.
 *
 * @module
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { XGrammarModule } from "../../engines/constrained_decoding/grammar_constrainer.ts";

interface Scope {
  require?: unknown;
  __filename?: string;
  xgrammar?: XGrammarModule;
}

/**
 * Imports `@mlc-ai/web-xgrammar`. Version 0.1.27 is a script packaged as a module: at start it looks for the variables
 * of CommonJS, and it leaves its exports in a global variable. Call it in a process of its own.
 */
export async function loadXGrammar(): Promise<XGrammarModule> {
  const scope = globalThis as Scope;
  const { require, __filename } = scope;
  scope.require = createRequire(import.meta.url);
  scope.__filename = fileURLToPath(import.meta.url);
  try {
    await import("@mlc-ai/web-xgrammar");
    const module = scope.xgrammar;
    if (module === undefined) throw new Error("Cannot use @mlc-ai/web-xgrammar: it has no exports");
    // The first call sets up its WebAssembly.
    (await module.TokenizerInfo.createTokenizerInfo([])).dispose();
    return module;
  } finally {
    Object.assign(scope, { require, __filename });
    if (require === undefined) delete scope.require;
    if (__filename === undefined) delete scope.__filename;
  }
}
