/**
 * Queries to llama.cpp for the next token, and its answers.
 *
 * @module
 */
import type { ControlledEvaluateIndexOutput, ControlledEvaluateInputItem, Token } from "node-llama-cpp";
import type { TokenLogprobs } from "../../protocol/mod.ts";

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
