/**
 * Answers that keep to a grammar, by xgrammar.
 *
 * @module
 */
import type * as XGrammar from "@mlc-ai/web-xgrammar";
import type { OutputConstraint } from "./language_model.ts";
import { outputGrammar } from "./output_grammar/output_grammar.ts";
import type { Constrainer, TokenConstraint, TokenVocabulary } from "./token_constraint.ts";

/** The package `@mlc-ai/web-xgrammar`. */
export type XGrammarModule = typeof XGrammar;

/** Compiled grammars that are kept; clients tend to send the same schema again and again. */
const MOST_GRAMMARS = 32;

/** Marks of calls that are special tokens in some families: without them a model would have to spell them. */
const CALL_MARKS = /^<\/?tool_call>$|^<\|\/?tool_call\|>$|^\[TOOL_CALLS\]$/;

/** Makes constraints on the tokens of one model. */
export class GrammarConstrainer implements Constrainer {
  readonly #vocabulary: TokenVocabulary;
  readonly #load: () => Promise<XGrammarModule>;
  readonly #grammars = new Map<string, Promise<XGrammar.CompiledGrammar>>();
  #opened: Promise<{ readonly module: XGrammarModule; readonly compiler: XGrammar.GrammarCompiler }> | undefined;

  /** @param load Called for the first constraint, and not before. */
  constructor(vocabulary: TokenVocabulary, load: () => Promise<XGrammarModule>) {
    this.#vocabulary = vocabulary;
    this.#load = load;
  }

  async constrain(constraint: OutputConstraint): Promise<TokenConstraint> {
    const grammar = outputGrammar(constraint);
    const { module, compiler } = await (this.#opened ??= this.#open());
    const compiled = await this.#compile(compiler, grammar);
    const matcher = await module.GrammarMatcher.createGrammarMatcher(compiled);
    return {
      mask: () => matcher.getNextTokenBitmask(),
      accept: (id) => matcher.acceptToken(id),
      close: () => matcher.dispose(),
    };
  }

  close(): void {
    for (const compiled of this.#grammars.values()) dispose(compiled);
    this.#grammars.clear();
    this.#opened?.then(({ compiler }) => compiler.dispose(), () => {});
    this.#opened = undefined;
  }

  async #open(): Promise<{ module: XGrammarModule; compiler: XGrammar.GrammarCompiler }> {
    const module = await this.#load();
    const { size, endTokens } = this.#vocabulary;
    const tokens = Array.from({ length: size }, (_, id) => this.#textBytes(id));
    // Its types know strings only; bytes go where strings go, and need not be whole characters.
    const info = await module.TokenizerInfo.createTokenizerInfo(tokens as unknown as string[], "raw", false, size, [
      ...endTokens,
    ]);
    const compiler = await module.GrammarCompiler.createGrammarCompiler(info, false);
    info.dispose();
    return { module, compiler };
  }

  /** What a token adds to an answer; a token without bytes is never allowed. */
  #textBytes(id: number): Uint8Array {
    const { endTokens, isSpecial, bytesOf } = this.#vocabulary;
    const bytes = bytesOf.call(this.#vocabulary, id);
    if (endTokens.includes(id)) return new Uint8Array();
    const hidden = isSpecial.call(this.#vocabulary, id) && !CALL_MARKS.test(new TextDecoder().decode(bytes));
    return hidden ? new Uint8Array() : bytes;
  }

  #compile(compiler: XGrammar.GrammarCompiler, grammar: string): Promise<XGrammar.CompiledGrammar> {
    const compiled = this.#grammars.get(grammar) ?? compiler.compileGrammar(grammar);
    // Behind all others: the one that was not used for longest comes first.
    this.#grammars.delete(grammar);
    this.#grammars.set(grammar, compiled);
    if (this.#grammars.size > MOST_GRAMMARS) {
      const [oldest, unused] = this.#grammars.entries().next().value!;
      this.#grammars.delete(oldest);
      dispose(unused);
    }
    return compiled;
  }
}

function dispose(compiled: Promise<XGrammar.CompiledGrammar>): void {
  compiled.then((grammar) => grammar.dispose(), () => {});
}
