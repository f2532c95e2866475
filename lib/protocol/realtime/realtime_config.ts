/**
 * The configuration of a realtime session, whichever words it came in.
 *
 * @module
 */

/** Formats of live sound, and their samples a second. */
export const AUDIO_RATES = { "audio/pcm": 24_000, "audio/pcmu": 8_000, "audio/pcma": 8_000 } as const;

/** A format of live sound: 16 bits little-endian, or a companding law of telephony; one channel. */
export type LiveFormat = keyof typeof AUDIO_RATES;

/** How the recogniser is asked. */
export interface TranscriptionConfig {
  readonly model?: string | null | undefined;
  readonly language?: string | null | undefined;
  readonly prompt?: string | null | undefined;
}

/** How the server finds the turns of the speaker. */
export interface TurnConfig {
  /** From 0 to 1: how sure it must be that a voice is heard. */
  readonly threshold: number;
  /** Milliseconds of sound that are kept from before a voice. */
  readonly prefixPadding: number;
  /** Milliseconds without a voice that end a turn. */
  readonly silence: number;
  /** Milliseconds after an answer in which nothing is said until the model speaks again; undefined for never. */
  readonly idleTimeout: number | undefined;
  /** Whether a turn that has ended is answered. */
  readonly createResponse: boolean;
  /** Whether a voice cancels the answer that is under way. */
  readonly interruptResponse: boolean;
}

/** Sound that comes in. */
export interface InputConfig {
  readonly format: LiveFormat;
  /** Whether and how transcripts are sent; the recogniser is used without it too. */
  readonly transcription: TranscriptionConfig | null;
  /** Null where the client commits by itself. */
  readonly turns: TurnConfig | null;
}

/** Sound that goes out. */
export interface OutputConfig {
  readonly format: LiveFormat;
  readonly voice: string | undefined;
  readonly speed: number;
  /** The speech model; the default one where it is undefined. */
  readonly model: string | undefined;
}

/** What a response is made with: the session's own, or that of one response. */
export interface AnswerConfig {
  readonly instructions: string;
  /** Whether answers are spoken. */
  readonly spoken: boolean;
  readonly output: OutputConfig;
  readonly tools: readonly unknown[];
  readonly toolChoice: unknown;
  readonly parallelToolCalls: boolean | undefined;
  readonly maxTokens: number | "inf";
  readonly temperature: number | undefined;
  readonly effort: string | undefined;
}

/** The configuration of a session. */
export interface RealtimeConfig extends AnswerConfig {
  readonly input: InputConfig;
}

/** What an update changes; what it leaves out stays. */
export type ConfigPatch =
  & Partial<Omit<RealtimeConfig, "input" | "output">>
  & { readonly input?: Partial<InputConfig>; readonly output?: Partial<OutputConfig> };

/** Turns as they are found unless a client says otherwise. */
export const USUAL_TURNS: TurnConfig = {
  threshold: 0.5,
  prefixPadding: 300,
  silence: 500,
  idleTimeout: undefined,
  createResponse: true,
  interruptResponse: true,
};

/**
 * The configuration of a session that has said nothing of it.
 *
 * @param voice The voice of the installed speech model; undefined without one, and answers are texts.
 * @param listens Whether there is a recogniser, without which no turns are looked for.
 */
export function usualConfig(voice: string | undefined, listens: boolean): RealtimeConfig {
  return {
    instructions: "",
    spoken: voice !== undefined,
    input: { format: "audio/pcm", transcription: null, turns: listens ? USUAL_TURNS : null },
    output: { format: "audio/pcm", voice, speed: 1, model: undefined },
    tools: [],
    toolChoice: "auto",
    parallelToolCalls: undefined,
    maxTokens: "inf",
    temperature: undefined,
    effort: undefined,
  };
}

/** A configuration with some of it changed. */
export function patched<C extends AnswerConfig>(config: C, { input, output, ...rest }: ConfigPatch): C {
  return {
    ...config,
    ...defined(rest),
    ...("input" in config && input ? { input: { ...(config.input as InputConfig), ...defined(input) } } : {}),
    output: { ...config.output, ...defined(output ?? {}) },
  };
}

function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** The body of a response (OpenAI's Responses) that continues a conversation with a configuration. */
export function responseBody(
  model: string,
  config: AnswerConfig,
  input: readonly unknown[],
): Record<string, unknown> {
  const { instructions, tools, toolChoice, parallelToolCalls, maxTokens, temperature, effort } = config;
  return {
    model,
    input: input.length > 0 ? input : [{ type: "message", role: "user", content: "" }],
    ...instructions === "" ? {} : { instructions },
    ...tools.length === 0 ? {} : { tools, tool_choice: toolChoice },
    ...tools.length === 0 || parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls },
    ...maxTokens === "inf" ? {} : { max_output_tokens: maxTokens },
    ...temperature === undefined ? {} : { temperature },
    ...effort === undefined ? {} : { reasoning: { effort } },
    stream: true,
    store: false,
  };
}
