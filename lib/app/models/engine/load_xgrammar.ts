/**
 * Loads xgrammar on demand.
 *
 * @module
 */
import type { XGrammarModule } from "../../../engines/constrained_decoding/grammar_constrainer.ts";
import { inCommonJsScope } from "../../../platform/modules/packages.ts";

/**
 * Imports `@mlc-ai/web-xgrammar`. Version 0.1.27 is a script packaged as a module: at start it looks for the variables
 * of CommonJS, and it leaves its exports in a global variable. Call it in a process of its own.
 */
export async function loadXGrammar(): Promise<XGrammarModule> {
  return await inCommonJsScope(async () => {
    await import("@mlc-ai/web-xgrammar");
    const module = (globalThis as { xgrammar?: XGrammarModule }).xgrammar;
    if (module === undefined) throw new Error("Cannot use @mlc-ai/web-xgrammar: it has no exports");
    // The first call sets up its WebAssembly.
    (await module.TokenizerInfo.createTokenizerInfo([])).dispose();
    return module;
  });
}
