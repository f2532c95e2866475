/**
 * A chat model beside transformers (log probabilities of the same weights) and llama.cpp's own server (tokens, speed).
 *
 * @module
 */
import { join } from "node:path";
import { addModel } from "../../../lib/store/add_model.ts";
import { openModelStore } from "../../../lib/store/model_store.ts";
import { openOracle } from "./oracle.ts";
import { brief, type Proof, speedOf, timed } from "./proof_row.ts";

const ID = "smollm2-135m";
const WIDE = `${ID}-f32`;

const QUESTIONS = [
  "What is the capital of France?",
  "Name three fruits.",
  "Write one sentence about the sea.",
  "What is 2 + 2?",
  "What is the chemical formula of water?",
  "Translate to French: good morning.",
  "Who wrote Hamlet?",
  "Say hello to me.",
  "Explain what a computer does, in one sentence.",
  "What colour is the sky?",
];
const TOKENS = 16;

/** Answers that are timed. */
const ROUNDS = 6;

/** A chosen token, of both programs' answers. */
interface Token {
  readonly token: string;
  readonly bytes: readonly number[];
  readonly logprob: number;
  /** The likeliest tokens there. */
  readonly top_logprobs: readonly { readonly token: string; readonly logprob: number }[];
}

interface Judged {
  readonly prompt: number;
  readonly logprobs: readonly number[];
  readonly best: readonly number[];
}

/** What both are asked: the likeliest token each time. */
function request(model: string, content: string): { readonly model: string; readonly messages: readonly object[] } {
  const greedy = { temperature: 0, max_tokens: TOKENS, logprobs: true, top_logprobs: 8 };
  return { model, messages: [{ role: "user", content }], ...greedy };
}

/** Adds the rows of the model as it is published, and with its weights widened to 32-bit floats. */
export async function proveChat(proof: Proof): Promise<void> {
  const found = proof.installed.get(ID);
  if (found === undefined) return;
  const file = join(found.folder, found.names[0]);
  await compareLikelihoods(proof, ID, "Q4_1", file, { mean: 0.06, most: 0.8, same: 0.93 });
  const wide = join(proof.folder, "wide.gguf");
  const widen = await openOracle(proof.python, "widen", file);
  await widen.ask({ to: wide });
  await widen.stop();
  const store = openModelStore(join(proof.folder, "models"));
  await addModel(store, { path: wide, id: WIDE, link: true }, () => {}, new AbortController().signal);
  await compareLikelihoods(proof, WIDE, "widened to F32", wide, { mean: 0.003, most: 0.02, same: 1 });
  await compareTokens(proof, WIDE, "widened to F32", wide, 0.02);
  await proof.models.unload(WIDE);
  await compareTokens(proof, ID, "Q4_1", file, 0.6);
}

/** Asks transformers how likely each of our tokens was, after the same tokens. */
async function compareLikelihoods(
  { models, python, add }: Proof,
  id: string,
  weights: string,
  file: string,
  bounds: { readonly mean: number; readonly most: number; readonly same: number },
): Promise<void> {
  const judge = await openOracle(python, "transformers", file);
  const apart: number[] = [];
  let same = 0;
  let prompts = 0;
  for (const question of QUESTIONS) {
    const asked = request(id, question);
    const { choices: [{ logprobs }], usage } = await models.chat(asked);
    const answer = tokensOf(logprobs);
    const judged = await judge.ask<Judged>({
      messages: asked.messages,
      answer: answer.map(({ bytes }) => bytes),
    });
    if (judged.prompt === usage.prompt_tokens) prompts += 1;
    answer.forEach(({ logprob }, i) => {
      apart.push(Math.abs(logprob - judged.logprobs[i]));
      if (judged.logprobs[i] === judged.best[i]) same += 1;
    });
  }
  await judge.stop();
  const mean = apart.reduce((sum, one) => sum + one, 0) / apart.length;
  const most = Math.max(...apart);
  add({
    model: `SmolLM2-135M-Instruct, ${weights}`,
    beside: "transformers, the same weights in F32",
    found: `log probabilities of ${apart.length} tokens: mean ${brief(mean)}, at most ${brief(most)} apart; ` +
      `the same choice ${same} times; ${prompts} of ${QUESTIONS.length} prompts of the same length`,
    bound: `mean ${bounds.mean}, most ${bounds.most}, the same choice ${100 * bounds.same} %`,
    ok: mean <= bounds.mean && most <= bounds.most && same >= bounds.same * apart.length &&
      prompts === QUESTIONS.length,
  });
}

/** What llama.cpp's server answers. */
interface Completion {
  readonly choices: readonly [{ readonly logprobs?: unknown }];
  readonly usage: { readonly completion_tokens: number };
}

/**
 * Lets llama.cpp's own server answer the same, with its own template, and compares answers up to the first token that they
 * choose differently, which is right where both programs find the two about as likely.
 *
 * @param most How far log probabilities may be apart, and two tokens that are about as likely.
 */
async function compareTokens(
  { models, python, add }: Proof,
  id: string,
  weights: string,
  file: string,
  most: number,
): Promise<void> {
  const theirs = await openOracle(python, "llama_cpp", file);
  const apart: number[] = [];
  const ties: number[] = [];
  for (const question of QUESTIONS) {
    const asked = request(id, question);
    const { choices: [{ logprobs }] } = await models.chat(asked);
    const answer = await theirs.ask<Completion>(asked);
    const [ours, other] = comparable(tokensOf(logprobs), tokensOf(answer.choices[0].logprobs));
    const until = ours.findIndex(({ token }, i) => token !== other[i].token);
    const equal = until < 0 ? ours.length : until;
    for (let i = 0; i < equal; i++) apart.push(Math.abs(ours[i].logprob - other[i].logprob));
    if (until >= 0) ties.push(Math.max(marginOf(ours[until], other[until]), marginOf(other[until], ours[until])));
  }
  const rounds: { ours: number; theirs: number }[] = [];
  for (const [round, question] of QUESTIONS.slice(0, ROUNDS).entries()) {
    // Answers of the same length, without the work for log probabilities; the first one warms up.
    const asked = { ...request(id, question), logprobs: false, top_logprobs: undefined, max_tokens: 2 * TOKENS };
    const [{ usage }, ours] = await timed(() => models.chat(asked));
    const [answer, took] = await timed(() => theirs.ask<Completion>(asked));
    const each = took / answer.usage.completion_tokens;
    if (round > 0) rounds.push({ ours: ours / usage.completion_tokens, theirs: each });
  }
  await theirs.stop();
  const [far, widest] = [Math.max(...apart), Math.max(0, ...ties)];
  add({
    model: `SmolLM2-135M-Instruct, ${weights}`,
    beside: "llama.cpp's server (xllamacpp)",
    found: `${QUESTIONS.length - ties.length} of ${QUESTIONS.length} greedy answers equal; log probabilities of the ` +
      `${apart.length} equal tokens at most ${brief(far)} apart` +
      (ties.length > 0 ? `; where a choice differs, both tokens are within ${brief(widest)} nats` : ""),
    bound: `${most}; ${most} nats`,
    ok: far <= most && widest <= most && apart.length >= 5 * QUESTIONS.length,
    speed: speedOf(rounds),
  });
}

/**
 * Both answers up to what only one of them lists: the end, which is a token of theirs, and tokens that are parts of a
 * letter, such as those of an emoji, which they join.
 */
function comparable(ours: readonly Token[], theirs: readonly Token[]): readonly (readonly Token[])[] {
  const isWhole = ({ token, top_logprobs }: Token) => top_logprobs.some((one) => one.token === token);
  const end = theirs.findIndex((one) => one.bytes.length === 0 || !isWhole(one));
  const length = Math.min(ours.length, end < 0 ? theirs.length : end);
  return [ours.slice(0, length), theirs.slice(0, length)];
}

/** How much less likely a program finds the token that the other has chosen. */
function marginOf(own: Token, other: Token): number {
  const found = own.top_logprobs.find(({ token }) => token === other.token);
  return found ? own.logprob - found.logprob : Infinity;
}

function tokensOf(logprobs: unknown): readonly Token[] {
  return (logprobs as { readonly content: readonly Token[] }).content;
}
