/**
 * Grammars in a thread of their own, which can be ended in the middle of a compilation.
 *
 * @module
 */
import type { OutputConstraint, TokenVocabulary } from "../contract/language_model.ts";
import type { RpcPort } from "../../platform/rpc/rpc_port.ts";
import { type Method, Moved } from "../../platform/rpc/rpc_service.ts";
import { serveCalls } from "../../platform/rpc/serve_calls.ts";
import { GrammarConstrainer, type XGrammarModule } from "./grammar_constrainer.ts";
import type { GrammarMatch } from "./grammar_match.ts";

/** A vocabulary as plain data. */
export interface PackedVocabulary {
  /** The bytes of all tokens. */
  readonly bytes: Uint8Array;
  /** Where the bytes of each token begin, and at last where they end. */
  readonly starts: Uint32Array;
  /** 1 for control tokens. */
  readonly special: Uint8Array;
  readonly endTokens: readonly number[];
}

/** What the thread does; matches are known by their numbers. */
export type GrammarService = {
  readonly open: Method<readonly [PackedVocabulary]>;
  readonly compile: Method<readonly [OutputConstraint]>;
  readonly begin: Method<readonly [OutputConstraint], number>;
  readonly mask: Method<readonly [number], Int32Array>;
  readonly accept: Method<readonly [match: number, id: number], boolean>;
  readonly end: Method<readonly [number]>;
};

/** Serves grammars at a port. */
export function serveGrammars(port: RpcPort, load: () => Promise<XGrammarModule>): void {
  let constrainer: GrammarConstrainer | undefined;
  const matches = new Map<number, GrammarMatch>();
  let last = 0;
  const opened = (): GrammarConstrainer => {
    if (constrainer === undefined) throw new Error("Cannot compile a grammar: no vocabulary is open");
    return constrainer;
  };
  const matchOf = (id: number): GrammarMatch => {
    const match = matches.get(id);
    if (match === undefined) throw new Error(`Cannot continue match ${id}: it has ended`);
    return match;
  };
  serveCalls<GrammarService>(port, {
    open: (_call, vocabulary) => {
      constrainer = new GrammarConstrainer(unpackVocabulary(vocabulary), load);
    },
    compile: (_call, constraint) => opened().prepare(constraint),
    begin: async (_call, constraint) => {
      matches.set(++last, await opened().constrain(constraint));
      return last;
    },
    mask: async (_call, id) => new Moved(await matchOf(id).mask()),
    accept: (_call, id, token) => matchOf(id).accept(token),
    end: (_call, id) => {
      matches.get(id)?.close();
      matches.delete(id);
    },
  });
}

/** Packs a vocabulary: a quarter of a second for 150,000 tokens. */
export function packVocabulary({ size, endTokens, bytesOf, isSpecial }: TokenVocabulary): PackedVocabulary {
  const tokens = Array.from({ length: size }, (_, id) => bytesOf(id) ?? new Uint8Array());
  const starts = new Uint32Array(size + 1);
  tokens.forEach(({ length }, id) => starts[id + 1] = starts[id] + length);
  const bytes = new Uint8Array(starts[size]);
  tokens.forEach((token, id) => bytes.set(token, starts[id]));
  return { bytes, starts, special: Uint8Array.from(tokens, (_, id) => isSpecial(id) ? 1 : 0), endTokens };
}

function unpackVocabulary({ bytes, starts, special, endTokens }: PackedVocabulary): TokenVocabulary {
  return {
    size: special.length,
    endTokens,
    bytesOf: (id) => bytes.subarray(starts[id], starts[id + 1]),
    isSpecial: (id) => special[id] === 1,
  };
}
