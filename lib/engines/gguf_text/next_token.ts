/**
 * What llama.cpp is asked for behind a token, and what it answers.
 *
 * @module
 */
import type { ControlledEvaluateIndexOutput, ControlledEvaluateInputItem, Token } from "node-llama-cpp";
import type { TokenLogprobs } from "../../api/protocol/mod.ts";

/** What to compute of the next token. */
export type NextQuery = NonNullable<Exclude<ControlledEvaluateInputItem, Token>[1]["generateNext"]>;

/** What was computed. */
export type NextAnswer = ControlledEvaluateIndexOutput["next"];

/** A chosen token. */
export interface Choice {
  readonly id: number;
  readonly logprobs: TokenLogprobs | undefined;
}

/** A way to choose the next token. */
export interface Way {
  readonly query: NextQuery;
  /** Undefined when the answer does not tell enough: the token before has to be evaluated once more, another way. */
  read(answer: NextAnswer): Choice | undefined;
}
