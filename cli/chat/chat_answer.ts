import type { ChatChunk, WireUsage } from "../../lib/protocol/mod.ts";

/** An answer and its statistics. */
export interface ChatAnswer {
  readonly content: string;
  readonly reasoning: string;
  /** Undefined when the answer was cancelled. */
  readonly finishReason: string | undefined;
  /** Undefined when the answer was cancelled. */
  readonly usage: WireUsage | undefined;
  readonly seconds: number;
  /** Time to the first text. */
  readonly firstTextSeconds: number | undefined;
}

/** Shows an answer as it arrives. */
export interface AnswerView {
  readonly text: (text: string) => void;
  readonly thought: (text: string) => void;
}

/** Follows an answer to its end, or until `signal` aborts: then returns what has arrived. */
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

/** One line of statistics, such as `42 tokens in 1.3 s (32.3 tokens/s), TTFT 0.21 s, prompt 18 tokens`. */
export function answerCounts({ usage, seconds, firstTextSeconds, finishReason }: ChatAnswer): string {
  if (finishReason === undefined || !usage) return "cancelled";
  const { completion_tokens: tokens, prompt_tokens: prompt, prompt_tokens_details: { cached_tokens: cached } } = usage;
  const speed = seconds > 0 ? ` (${(tokens / seconds).toFixed(1)} tokens/s)` : "";
  return [
    `${countTokens(tokens)} in ${seconds.toFixed(1)} s${speed}`,
    ...firstTextSeconds === undefined ? [] : [`TTFT ${firstTextSeconds.toFixed(2)} s`],
    `prompt ${countTokens(prompt)}${cached > 0 ? `, ${cached} cached` : ""}`,
    ...finishReason === "length" ? ["cut off at the token limit"] : [],
  ].join(", ");
}

function countTokens(count: number): string {
  return `${count} token${count === 1 ? "" : "s"}`;
}
