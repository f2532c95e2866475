/**
 * Splits a text that grows into what can be spoken by now.
 *
 * @module
 */

/** Characters from which on the first sentence may end at a comma, so that it is heard soon. */
const FIRST_CLAUSE = 30;

/** Characters at which a text without any end is split at a space. */
const MAX_SENTENCE = 400;

/** The end of a sentence: its mark, closing quotes or brackets, and the space that shows that it is one; or a line. */
const END = /[.!?…]["'”’)\]]{0,3}\s|[。！？]|\n/u;

/** The end of a clause. */
const CLAUSE = /[,;:–—]\s/u;

/** Words before a full stop that ends no sentence. */
const SHORT = /(?:^|[\s("'])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|No|approx)\.\s$/;

/** Takes a text in pieces, and gives its sentences as they end. */
export class SentenceSplitter {
  #text = "";
  #isFirst = true;

  /** Takes the next piece; gives the sentences that have ended, with the space after them. */
  push(piece: string): string[] {
    this.#text += piece;
    const sentences: string[] = [];
    for (let end = this.#end(); end > 0; end = this.#end()) {
      const sentence = this.#text.slice(0, end);
      this.#text = this.#text.slice(end);
      if (sentence.trim() !== "") this.#isFirst = false;
      sentences.push(sentence);
    }
    return sentences;
  }

  /** Gives what is left. */
  flush(): string {
    const rest = this.#text;
    this.#text = "";
    return rest;
  }

  /** Where the first sentence ends; 0 while it has not. */
  #end(): number {
    for (let from = 0; from < this.#text.length;) {
      const found = END.exec(this.#text.slice(from));
      if (found === null) break;
      const end = from + found.index + found[0].length;
      if (!SHORT.test(this.#text.slice(0, end))) return end;
      from = end;
    }
    if (this.#isFirst && this.#text.length > FIRST_CLAUSE) {
      const found = CLAUSE.exec(this.#text.slice(FIRST_CLAUSE - 10));
      if (found !== null) return FIRST_CLAUSE - 10 + found.index + found[0].length;
    }
    if (this.#text.length <= MAX_SENTENCE) return 0;
    const space = this.#text.lastIndexOf(" ", MAX_SENTENCE);
    return space > 0 ? space + 1 : MAX_SENTENCE;
  }
}
