/**
 * Constrained decoding with xgrammar.
 *
 * @module
 */
import type * as XGrammar from "@mlc-ai/web-xgrammar";
import { BYTE_END, BYTES, GrammarMatch, TextVocabulary } from "./grammar_match.ts";
import type { Constrainer, OutputConstraint, TokenVocabulary } from "../contract/language_model.ts";
import { type OutputGrammar, outputGrammar } from "../output_grammar/output_grammar.ts";

/** The package `@mlc-ai/web-xgrammar`. */
export type XGrammarModule = typeof XGrammar;

/** Maximum number of cached grammars; clients tend to send the same schema repeatedly. */
const MAX_GRAMMARS = 32;

interface Compilers {
  readonly module: XGrammarModule;
  readonly ofTokens: XGrammar.GrammarCompiler;
  readonly ofBytes: XGrammar.GrammarCompiler;
}

interface CompiledPair {
  readonly loose: XGrammar.CompiledGrammar;
  readonly exact: XGrammar.CompiledGrammar;
}

/**
 * Creates constraints on the tokens of one model. A grammar is compiled twice: in a loose form for the model's tokens,
 * which proposes what may come next, and in its exact form for single bytes, which decides. Exact counts over a large
 * vocabulary would take seconds to compile.
 */
export class GrammarConstrainer implements Constrainer {
  readonly #given: TokenVocabulary;
  #read: TextVocabulary | undefined;
  readonly #load: () => Promise<XGrammarModule>;
  readonly #grammars = new Map<string, Promise<CompiledPair>>();
  #compilers: Promise<Compilers> | undefined;

  /** @param load Called for the first constraint only. */
  constructor(vocabulary: TokenVocabulary, load: () => Promise<XGrammarModule>) {
    this.#given = vocabulary;
    this.#load = load;
  }

  /** Read for the first constraint: a quarter of a second for 150,000 tokens. */
  get #vocabulary(): TextVocabulary {
    return this.#read ??= new TextVocabulary(this.#given);
  }

  async constrain(constraint: OutputConstraint): Promise<GrammarMatch> {
    const grammar = outputGrammar(constraint);
    const compilers = await (this.#compilers ??= this.#open());
    const { loose, exact } = await this.#compiled(compilers, grammar);
    const { GrammarMatcher } = compilers.module;
    return new GrammarMatch(
      await GrammarMatcher.createGrammarMatcher(loose),
      await GrammarMatcher.createGrammarMatcher(exact),
      this.#vocabulary,
    );
  }

  async prepare(constraint: OutputConstraint): Promise<void> {
    const grammar = outputGrammar(constraint);
    await this.#compiled(await (this.#compilers ??= this.#open()), grammar);
  }

  close(): void {
    for (const pair of this.#grammars.values()) dispose(pair);
    this.#grammars.clear();
    this.#compilers?.then(({ ofTokens, ofBytes }) => [ofTokens, ofBytes].forEach((one) => one.dispose()), () => {});
    this.#compilers = undefined;
  }

  async #open(): Promise<Compilers> {
    const module = await this.#load();
    const open = async (tokens: readonly Uint8Array[], endTokens: readonly number[]) => {
      // Its types only allow strings; bytes are accepted too, and need not be whole characters.
      const texts = tokens as unknown as string[];
      const info = await module.TokenizerInfo.createTokenizerInfo(texts, "raw", false, tokens.length, [...endTokens]);
      const compiler = await module.GrammarCompiler.createGrammarCompiler(info, false);
      info.dispose();
      return compiler;
    };
    const { tokens, endTokens } = this.#vocabulary;
    return { module, ofTokens: await open(tokens, endTokens), ofBytes: await open(BYTES, [BYTE_END]) };
  }

  #compiled({ ofTokens, ofBytes }: Compilers, { loose, exact }: OutputGrammar): Promise<CompiledPair> {
    const pair = this.#grammars.get(exact) ??
      Promise.all([ofTokens.compileGrammar(loose), ofBytes.compileGrammar(exact)])
        .then(([loose, exact]) => ({ loose, exact }));
    // Moved to the end: the least recently used one comes first.
    this.#grammars.delete(exact);
    this.#grammars.set(exact, pair);
    if (this.#grammars.size > MAX_GRAMMARS) {
      const [oldest, unused] = this.#grammars.entries().next().value!;
      this.#grammars.delete(oldest);
      dispose(unused);
    }
    return pair;
  }
}

function dispose(pair: Promise<CompiledPair>): void {
  pair.then(({ loose, exact }) => [loose, exact].forEach((grammar) => grammar.dispose()), () => {});
}
