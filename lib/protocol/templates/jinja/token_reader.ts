/**
 * Reads the tokens of a template.
 *
 * @module
 */
import type { Token, TokenKind } from "./lexer.ts";
import { UnsupportedError } from "./values.ts";

/** Tokens that are read one after the other. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  protected get current(): Token {
    return this.#tokens[this.#at];
  }

  protected next(): Token {
    return this.#tokens[Math.min(this.#at++, this.#tokens.length - 1)];
  }

  protected is(kind: TokenKind, value?: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead];
    return token?.kind === kind && (value === undefined || token.value === value);
  }

  protected isWord(...words: readonly string[]): boolean {
    return this.current.kind === "name" && words.includes(this.current.value);
  }

  protected skip(kind: TokenKind, value: string): boolean {
    if (!this.is(kind, value)) return false;
    this.#at++;
    return true;
  }

  protected expect(kind: TokenKind, value?: string): Token {
    if (this.is(kind, value)) return this.next();
    throw new SyntaxError(`${this.found()}, expected ${value ?? kind.replace("_", " ")}`);
  }

  protected found(): string {
    const { kind, value } = this.current;
    return kind === "eof" ? "the template ends" : `unexpected ${value === "" ? kind.replace("_", " ") : value}`;
  }

  protected unsupported(what: string): never {
    throw new UnsupportedError(`it uses ${what}, which this server does not support`);
  }
}
