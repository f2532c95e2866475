import type { ChatChunk, WireUsage } from "../../lib/api/protocol/mod.ts";

/** An answer and how it came. */
export interface ChatAnswer {
  readonly content: string;
  readonly reasoning: string;
  /** Undefined when it was stopped. */
  readonly finishReason: string | undefined;
  /** Undefined when it was stopped. */
  readonly usage: WireUsage | undefined;
  readonly seconds: number;
  /** Until the first text. */
  readonly firstTextSeconds: number | undefined;
}

/** What shows an answer while it comes. */
export interface AnswerView {
  readonly text: (text: string) => void;
  readonly thought: (text: string) => void;
}

/** Follows an answer until it ends, or until `signal` stops it: then it is what has come so far. */
export async function followAnswer(
  chunks: AsyncIterable<ChatChunk>,
  view: AnswerView,
  now: () => number,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const start = now();
  let [content, reasoning] = ["", ""];
  let first: number | undefined;
  let usage: WireUsage | undefined;
  let finishReason: string | undefined;
  try {
    for await (const chunk of chunks) {
      usage = chunk.usage ?? usage;
      const [choice] = chunk.choices;
      if (!choice) continue;
      finishReason = choice.finish_reason ?? finishReason;
      const { content: text = "", reasoning_content: thought = "" } = choice.delta;
      if (text !== "" || thought !== "") first ??= now();
      if (thought !== "") view.thought(thought);
      if (text !== "") view.text(text);
      reasoning += thought;
      content += text;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    finishReason = undefined;
  }
  return {
    content,
    reasoning,
    finishReason,
    usage,
    seconds: (now() - start) / 1000,
    firstTextSeconds: first === undefined ? undefined : (first - start) / 1000,
  };
}

/** The counts of an answer in a line, such as `42 tokens in 1.3 s (32.3 a second), first text after 0.21 s, prompt 18 tokens`. */
export function answerCounts({ usage, seconds, firstTextSeconds, finishReason }: ChatAnswer): string {
  if (finishReason === undefined || !usage) return "stopped";
  const { completion_tokens: tokens, prompt_tokens: prompt, prompt_tokens_details: { cached_tokens: cached } } = usage;
  const speed = seconds > 0 ? ` (${(tokens / seconds).toFixed(1)} a second)` : "";
  return [
    `${countTokens(tokens)} in ${seconds.toFixed(1)} s${speed}`,
    ...firstTextSeconds === undefined ? [] : [`first text after ${firstTextSeconds.toFixed(2)} s`],
    `prompt ${countTokens(prompt)}${cached > 0 ? `, ${cached} of them kept from before` : ""}`,
    ...finishReason === "length" ? ["cut at the most tokens allowed"] : [],
  ].join(", ");
}

function countTokens(count: number): string {
  return `${count} token${count === 1 ? "" : "s"}`;
}
