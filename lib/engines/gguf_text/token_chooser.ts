/**
 * Chooses the tokens of one answer.
 *
 * @module
 */
import {
  chooseToken,
  NEUTRAL_SAMPLING,
  type SamplingSettings,
  TokenHistory,
  tokenLogprobs,
  uniformAt,
} from "../../text/mod.ts";
import { certainCandidates } from "./certain_candidates.ts";
import type { NextAnswer, NextQuery, Way } from "./next_token.ts";
import { countAllowed, fewAllowed, isAllowed } from "./token_mask.ts";

/** What an answer's tokens are chosen by. */
export interface ChooserSettings {
  readonly prompt: readonly number[];
  readonly sampling: SamplingSettings;
  readonly seed: number;
  readonly topLogprobs: number | undefined;
  /** How many logits the model has. */
  readonly size: number;
  /** Whether a token can be evaluated once more at little cost. */
  readonly repeatable: boolean;
  /** How many of the likeliest tokens are looked at first. */
  readonly candidates?: number;
}

/** So few tokens are asked for by name. */
const FEW = 64;

/**
 * Chooses tokens as `chooseToken` of `lib/text` does, which would want all logits at every step: a Map of 150,000
 * entries takes 60 ms. So the likeliest ones are asked for, and when their tail could matter, all of them. Llama.cpp
 * chooses by itself where its chain of samplers means the same: penalties, top-k, top-p, min-p, temperature, in this
 * order. It cuts before it scales, hence top-p only together with temperature 1.
 */
export class TokenChooser {
  readonly #settings: ChooserSettings;
  readonly #history: TokenHistory;
  #candidates: number;
  #position = 0;

  constructor(settings: ChooserSettings) {
    this.#settings = settings;
    this.#history = new TokenHistory(settings.prompt);
    this.#candidates = settings.candidates ?? 512;
  }

  /** Takes the token that was chosen. */
  accept(id: number): void {
    this.#history.add(id);
    this.#position++;
  }

  /** Looks at more tokens from now on. */
  widen(): void {
    this.#candidates *= 8;
  }

  /** The way to choose the next token. */
  way(mask: Int32Array | undefined): Way {
    const { sampling: { temperature, topK, topP }, size, repeatable } = this.#settings;
    if (this.#needsLogits()) return this.#wholeWay(mask);
    const few = mask && fewAllowed(mask, size, FEW);
    if (few !== undefined) return this.#fewWay(few);
    if (mask === undefined && temperature === 0) return this.#nativeWay();
    if (mask === undefined && topK === 0 && (temperature === 1 || topP === 1)) return this.#nativeWay();
    const count = mask === undefined && topK > 0 ? topK : Math.max(this.#candidates, topK);
    const certain = mask === undefined && topK > 0;
    // Where one in four tokens is looked at, all of them cost no more.
    return count * 4 > size || !(certain || repeatable) ? this.#wholeWay(mask) : this.#candidateWay(count, mask);
  }

  /** Llama.cpp has no log probabilities, puts a bias before the penalties, and gives all penalties the same tokens. */
  #needsLogits(): boolean {
    const { sampling, topLogprobs } = this.#settings;
    const { presencePenalty, frequencyPenalty, repetitionPenalty, logitBias } = sampling;
    const counted = presencePenalty !== 0 || frequencyPenalty !== 0;
    return topLogprobs !== undefined || logitBias.size > 0 || (counted && repetitionPenalty !== 1);
  }

  #wholeWay(mask: Int32Array | undefined): Way {
    const { sampling, size, topLogprobs } = this.#settings;
    return {
      query: { logits: true, options: { temperature: 0 } },
      read: (answer) => {
        const raw = new Float32Array(size).fill(-Infinity);
        for (const [id, logit] of logitsOf(answer)) raw[id] = logit;
        const chosen = chooseToken(raw, sampling, this.#history, this.#uniform(), mask);
        const logprobs = topLogprobs === undefined ? undefined : tokenLogprobs(raw, chosen, topLogprobs);
        return { id: chosen.id, logprobs };
      },
    };
  }

  #nativeWay(): Way {
    const { temperature, topP, minP } = this.#settings.sampling;
    return {
      query: {
        token: true,
        options: {
          ...this.#penalties(),
          temperature,
          topK: 0,
          topP,
          // A token is left by its probability before the temperature here: p^(1/T) >= m is p >= m^T.
          minP: minP ** temperature,
          seed: Math.floor(this.#uniform() * 2 ** 32),
        },
      },
      read: ({ token }) => {
        if (typeof token === "number") return { id: token, logprobs: undefined };
        throw new Error("Cannot choose a token: llama.cpp found none, expected finite logits");
      },
    };
  }

  /** The tokens that are allowed, by name. */
  #fewWay(ids: readonly number[]): Way {
    const tokens = ids as NonNullable<Extract<NextQuery["logits"], object>>["filter"]["tokens"];
    return {
      query: { logits: { filter: { tokens } }, options: { ...this.#penalties(), temperature: 0 } },
      read: (answer) => this.#draw([...logitsOf(answer)], 0),
    };
  }

  #candidateWay(count: number, mask: Int32Array | undefined): Way {
    const { size } = this.#settings;
    return {
      // Temperature 1 leaves the logits as they are; llama.cpp sorts them only as far as top-k asks for.
      query: {
        logits: true,
        options: { ...this.#penalties(), temperature: 1, topK: count, topP: 1, minP: 0, seed: 0 },
      },
      read: (answer) => {
        const seen = [...logitsOf(answer)];
        const floor = seen[seen.length - 1]?.[1] ?? -Infinity;
        if (mask === undefined) return this.#draw(seen, size - seen.length, floor);
        const allowed = seen.filter(([id]) => isAllowed(mask, id));
        return this.#draw(allowed, countAllowed(mask, size) - allowed.length, floor);
      },
    };
  }

  #draw(
    seen: readonly (readonly [number, number])[],
    unseen: number,
    floor = -Infinity,
  ): { id: number; logprobs: undefined } | undefined {
    const { sampling } = this.#settings;
    const candidates = certainCandidates(seen, floor, unseen, sampling);
    if (candidates === undefined) return undefined;
    const settings = { ...NEUTRAL_SAMPLING, temperature: sampling.temperature };
    const { id } = chooseToken(candidates.logits, settings, new TokenHistory([]), this.#uniform());
    return { id: candidates.ids[id], logprobs: undefined };
  }

  #penalties(): Pick<NonNullable<NextQuery["options"]>, "repeatPenalty"> {
    const { presencePenalty, frequencyPenalty, repetitionPenalty } = this.#settings.sampling;
    const punish = (tokens: readonly number[], penalty: number) => ({
      repeatPenalty: { punishTokens: tokens as never, penalty, presencePenalty, frequencyPenalty },
    });
    if (repetitionPenalty !== 1) return punish([...this.#history.seen()], repetitionPenalty);
    if (presencePenalty === 0 && frequencyPenalty === 0) return {};
    return punish([...this.#history.generated].flatMap(([id, count]) => new Array<number>(count).fill(id)), 1);
  }

  #uniform(): number {
    return uniformAt(this.#settings.seed, this.#position);
  }
}

function logitsOf({ logits }: NextAnswer): ReadonlyMap<number, number> {
  if (logits === undefined) throw new Error("Cannot choose a token: llama.cpp told no logits, expected some");
  return logits;
}
