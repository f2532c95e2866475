/**
 * Chooses the tokens of one answer, by queries to llama.cpp for the next token.
 *
 * @module
 */
import {
  chooseToken,
  type SamplingSettings,
  TokenHistory,
  type TokenLogprobs,
  tokenLogprobs,
  uniformAt,
} from "../../protocol/mod.ts";
import { drawCertain, NO_MASS, type ScoredToken } from "./draw_certain.ts";
import { fewAllowed, isAllowed } from "../constrained_decoding/token_table.ts";
import type { ControlledEvaluateIndexOutput, ControlledEvaluateInputItem, Token } from "node-llama-cpp";

/** What to compute for the next token. */
export type NextQuery = NonNullable<Exclude<ControlledEvaluateInputItem, Token>[1]["generateNext"]>;

/** What was computed. */
export type NextAnswer = ControlledEvaluateIndexOutput["next"];

/** A chosen token. */
export interface Choice {
  readonly id: number;
  readonly logprobs: TokenLogprobs | undefined;
}

/** A strategy to choose the next token. */
export interface Way {
  readonly query: NextQuery;
  /** Undefined when the answer is not sufficient: the previous token must be evaluated again with another strategy. */
  read(answer: NextAnswer): Choice | undefined;
}

/** How the tokens of an answer are chosen. */
interface ChooserSettings {
  readonly prompt: readonly number[];
  readonly sampling: SamplingSettings;
  readonly seed: number;
  readonly topLogprobs: number | undefined;
  /** Number of logits of the model. */
  readonly size: number;
  /** Whether re-evaluating a token is cheap. */
  readonly repeatable: boolean;
  /** Number of likeliest tokens to consider. */
  readonly candidates?: number;
}

/** Up to so many tokens are queried by name. */
const FEW = 64;

/**
 * All tokens: no top-k at all. With 0 llama.cpp sorts them, which takes 10 ms for 150,000, and undefined means 40 to
 * node-llama-cpp.
 */
const NO_TOP_K = null as unknown as number;

/** How many tokens are sorted for each candidate: the mass of those after the candidates bounds that of all others. */
const SORTED = 32;

/**
 * Chooses tokens as `chooseToken` of `lib/protocol` does, which needs all logits at every step: with 150,000 of
 * them, reading them from llama.cpp takes 60 ms. So only the likeliest ones are read, and all only when the others
 * could decide, or where llama.cpp's penalties differ.
 */
export class TokenChooser {
  readonly #settings: ChooserSettings;
  readonly #history: TokenHistory;
  readonly #candidates: number;
  #position = 0;
  #captureSeconds = 0;
  #failures = 0;
  #failed = false;

  constructor(settings: ChooserSettings) {
    this.#settings = settings;
    this.#history = new TokenHistory(settings.prompt);
    this.#candidates = settings.candidates ?? 1024;
  }

  /** Seconds spent on log probabilities. */
  get captureSeconds(): number {
    return this.#captureSeconds;
  }

  /** Accepts the chosen token. */
  accept(id: number): void {
    this.#history.add(id);
    this.#position++;
    this.#failed = false;
  }

  /** The last strategy failed: the next one must succeed. */
  fail(): void {
    this.#failures++;
    this.#failed = true;
  }

  /** Whether tokens can be queried before those in front of them are chosen: penalties depend on what was chosen. */
  get foresees(): boolean {
    const { presencePenalty, frequencyPenalty, repetitionPenalty } = this.#settings.sampling;
    return presencePenalty === 0 && frequencyPenalty === 0 && repetitionPenalty === 1 && !this.#needsLogits();
  }

  /**
   * The strategy for the next token. It can be read again after tokens were removed from the mask.
   *
   * @param ahead Number of tokens that will have been chosen before it.
   */
  way(mask: Int32Array | undefined, ahead = 0): Way {
    const { sampling: { temperature, topK, topP }, size, repeatable } = this.#settings;
    if (this.#failed || this.#needsLogits()) return this.#wholeWay(mask);
    if (mask === undefined) {
      if (temperature === 0) return this.#nativeWay(ahead);
      if (topK > 0 && topK * 4 <= size) return this.#topKWay();
      if (topK === 0 && (temperature === 1 || topP === 1)) return this.#nativeWay(ahead);
    }
    const few = mask && fewAllowed(mask, size, FEW);
    if (mask && few) return this.#fewWay(few, mask);
    // After frequent failures trying is slower, and the state of some models cannot be rolled back.
    const hopeless = !repeatable || this.#failures * 4 > this.#position + 8;
    return hopeless || this.#candidates * 4 > size ? this.#wholeWay(mask) : this.#candidateWay(mask);
  }

  /**
   * Llama.cpp reports no log probabilities, adds a bias before the penalties, and applies all penalties to the same
   * tokens.
   */
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
        if (topLogprobs === undefined) return { id: chosen.id, logprobs: undefined };
        const began = performance.now();
        const logprobs = tokenLogprobs(raw, chosen, topLogprobs);
        this.#captureSeconds += (performance.now() - began) / 1000;
        return { id: chosen.id, logprobs };
      },
    };
  }

  /** Llama.cpp truncates before it scales: equivalent without top-p, and at temperature 1. */
  #nativeWay(ahead: number): Way {
    const { temperature, topP, minP } = this.#settings.sampling;
    const seed = Math.floor(this.#uniform(ahead) * 2 ** 32);
    // p^(1/T) >= m is equivalent to p >= m^T.
    const cut = { topK: NO_TOP_K, topP, minP: minP ** temperature };
    return {
      query: { token: true, options: { ...this.#penalties(), temperature, ...cut, seed } },
      read: ({ token }) => {
        if (typeof token === "number") return { id: token, logprobs: undefined };
        throw new Error("Cannot choose a token: llama.cpp found none, expected finite logits");
      },
    };
  }

  /** Llama.cpp applies top-k, the remainder is done here. */
  #topKWay(): Way {
    const { temperature, topK } = this.#settings.sampling;
    return {
      query: { logits: true, options: { ...this.#penalties(), ...scaled(temperature), topK } },
      read: (answer) => this.#draw([...logitsOf(answer)], NO_MASS),
    };
  }

  /** Queries the only allowed tokens by name. */
  #fewWay(ids: readonly number[], mask: Int32Array): Way {
    const { temperature } = this.#settings.sampling;
    const tokens = ids as NonNullable<Extract<NextQuery["logits"], object>>["filter"]["tokens"];
    return {
      query: { logits: { filter: { tokens } }, options: { ...this.#penalties(), temperature: 0 } },
      read: (answer) => {
        const scale = temperature || 1;
        const allowed = [...logitsOf(answer)].filter(([id]) => isAllowed(mask, id));
        const scored = allowed.map(([id, logit]): ScoredToken => [id, logit / scale]);
        return this.#draw(scored.sort(([a, x], [b, y]) => y - x || a - b), NO_MASS);
      },
    };
  }

  /** Queries the likeliest tokens, and the mass of many more. */
  #candidateWay(mask: Int32Array | undefined): Way {
    const { size, sampling: { temperature } } = this.#settings;
    const sorted = Math.min(size, SORTED * this.#candidates);
    return {
      query: {
        logits: { filter: { tokens: [], includeTop: this.#candidates } },
        totalLogitWeight: true,
        options: { ...this.#penalties(), ...scaled(temperature || 1), topK: sorted },
      },
      read: (answer) => {
        const seen = [...logitsOf(answer)];
        const largest = seen[0][1];
        const total = answer.totalLogitWeight ?? NaN;
        const rest = Math.max(0, total - seen.reduce((sum, [, logit]) => sum + Math.exp(logit - largest), 0));
        // None of the others is likelier than the mean of those sorted after the candidates.
        const max = sorted === size ? rest : rest * (1 + (size - sorted) / (sorted - seen.length));
        if (mask === undefined) return this.#draw(seen, { min: rest, max });
        return this.#draw(seen.filter(([id]) => isAllowed(mask, id)), { min: 0, max }, largest);
      },
    };
  }

  #draw(seen: readonly ScoredToken[], unseen: typeof NO_MASS, largest = seen[0]?.[1]): Choice | undefined {
    const { sampling } = this.#settings;
    if (sampling.temperature === 0) return seen.length === 0 ? undefined : { id: seen[0][0], logprobs: undefined };
    const id = drawCertain(seen, largest, unseen, sampling, this.#uniform());
    return id === undefined ? undefined : { id, logprobs: undefined };
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

  #uniform(ahead = 0): number {
    return uniformAt(this.#settings.seed, this.#position + ahead);
  }
}

/** Options with which llama.cpp scales only; it sorts the logits only when it samples. */
function scaled(temperature: number): NonNullable<NextQuery["options"]> {
  return { temperature, topP: 1, minP: 0, seed: 0 };
}

function logitsOf({ logits }: NextAnswer): ReadonlyMap<number, number> {
  if (logits === undefined) throw new Error("Cannot choose a token: llama.cpp returned no logits, expected some");
  return logits;
}
