/**
 * The fields of sessions and of single responses, in the words of the general version and of the beta.
 *
 * @module
 */
import * as v from "valibot";
import { refusing } from "../../errors/declared_members.ts";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { jsonObjectField, listField, recordField } from "../../json/bounded_fields.ts";
import { notArray, variants } from "../chat/variants.ts";
import { type ConfigPatch, type LiveFormat, type TurnConfig, USUAL_TURNS } from "./realtime_config.ts";

const any = v.optional(v.unknown());
const text = v.string("expected a string");
const MAX_INSTRUCTIONS = 262_144;
const instructions = v.nullish(
  v.pipe(text, v.maxLength(MAX_INSTRUCTIONS, `expected at most ${MAX_INSTRUCTIONS} characters`)),
);
const flag = v.nullish(v.boolean("expected true or false"));

/** An integer within bounds. */
function whole(min: number, max: number): v.GenericSchema<unknown, number> {
  const expected = `expected an integer from ${min} to ${max}`;
  return v.pipe(v.number(expected), v.integer(expected), v.minValue(min, expected), v.maxValue(max, expected));
}

/** A number within bounds. */
function within(min: number, max: number): v.GenericSchema<unknown, number> {
  const expected = `expected a number from ${min} to ${max}`;
  return v.pipe(v.number(expected), v.minValue(min, expected), v.maxValue(max, expected));
}

const tokensExpected = 'expected an integer from 1, or "inf"';
const maxTokens = v.nullish(
  v.union([
    v.literal("inf"),
    v.pipe(v.number(tokensExpected), v.integer(tokensExpected), v.minValue(1, tokensExpected)),
  ], tokensExpected),
);

const MAX_TOOLS = 1024;
const tools = v.nullish(
  listField(
    variants(
      {
        function: v.object({
          type: any,
          name: text,
          description: v.nullish(text),
          parameters: v.nullish(jsonObjectField("expected a JSON Schema object")),
          strict: flag,
        }),
      },
      "a tool",
      { mcp: "tools run at the client, which lists them as functions" },
    ),
    { max: MAX_TOOLS, expected: `expected an array of at most ${MAX_TOOLS} tools` },
  ),
);

const voice = v.nullish(
  v.lazy((value) => typeof value === "object" ? v.object({ id: text }, "expected the name of a voice") : text),
);
const speed = v.nullish(within(0.25, 4));
const metadata = v.nullish(recordField(text, { max: 16, expected: "expected an object of at most 16 strings" }));

const eagerness = v.nullish(v.picklist(["low", "medium", "high", "auto"], "expected low, medium, high or auto"));
const turnDetection = v.nullish(variants({
  server_vad: v.object({
    type: any,
    threshold: v.nullish(within(0, 1)),
    prefix_padding_ms: v.nullish(whole(0, 5_000)),
    silence_duration_ms: v.nullish(whole(100, 10_000)),
    idle_timeout_ms: v.nullish(whole(1_000, 600_000)),
    create_response: flag,
    interrupt_response: flag,
  }),
  semantic_vad: v.object({ type: any, eagerness, create_response: flag, interrupt_response: flag }),
}, "an object"));

const transcription = v.nullish(notArray(
  refusing(
    v.object({ model: v.nullish(text), language: v.nullish(text), prompt: v.nullish(text) }, "expected an object"),
    [{
      field: "delay",
      neutral: ["minimal"],
      remedy: "expected no such field: transcripts are sent when they are certain",
    }],
  ),
  "expected an object",
));

const pcmRate = v.literal(24_000, "expected 24000");
const format = v.nullish(variants({
  "audio/pcm": v.object({ type: any, rate: v.nullish(pcmRate) }),
  "audio/pcmu": v.object({ type: any }),
  "audio/pcma": v.object({ type: any }),
}, "a format"));

const betaFormats = { pcm16: "audio/pcm", g711_ulaw: "audio/pcmu", g711_alaw: "audio/pcma" } as const;
const betaFormat = v.nullish(
  v.picklist(["pcm16", "g711_ulaw", "g711_alaw"], "expected pcm16, g711_ulaw or g711_alaw"),
);

const modality = v.picklist(["text", "audio"], "expected text or audio");
const gaModalities = v.nullish(
  listField(modality, { min: 1, max: 1, expected: 'expected ["text"] or ["audio"]: audio has its transcript' }),
);
const betaModalities = v.nullish(
  listField(modality, { min: 1, max: 2, expected: 'expected ["text"] or ["text", "audio"]' }),
);

const noise: FieldRefusal = { field: /noise_reduction$/, remedy: "expected null: sound is heard as it comes" };
const leaveOut = "expected no such field";

/** What neither version has here. */
const sessionRefusals: readonly FieldRefusal[] = [
  noise,
  { field: "prompt", remedy: `${leaveOut}: templates of prompts are not kept here` },
  { field: "include", neutral: [[]], remedy: `${leaveOut}: recognisers give no probabilities of tokens` },
  { field: "truncation", neutral: ["disabled"], remedy: "expected disabled: delete items in place of it" },
];

/** Members that clients send back as they came, or that are for the platform of others. */
const context = { object: any, id: any, expires_at: any, tracing: any, client_secret: any };

const output = v.nullish(notArray(
  v.object({ format, voice, speed, model: v.nullish(text) }, "expected an object"),
  "expected an object",
));

const answer = {
  instructions,
  tools,
  tool_choice: any,
  parallel_tool_calls: flag,
  reasoning: v.nullish(notArray(v.object({ effort: any }, "expected an object"), "expected an object with effort")),
};

/** A session in the words of the general version. */
export const sessionFields: v.GenericSchema = refusing(
  v.object({
    ...context,
    ...answer,
    type: v.nullish(v.literal("realtime", "expected realtime")),
    model: v.nullish(text),
    output_modalities: gaModalities,
    max_output_tokens: maxTokens,
    audio: v.nullish(notArray(
      v.object({
        input: v.nullish(notArray(
          refusing(v.object({ format, transcription, turn_detection: turnDetection }, "expected an object"), [noise]),
          "expected an object",
        )),
        output,
      }, "expected an object"),
      "expected an object with input and output",
    )),
  }, "expected an object"),
  sessionRefusals,
);

/** A session in the words of the beta. */
export const betaSessionFields: v.GenericSchema = refusing(
  v.object({
    ...context,
    ...answer,
    model: v.nullish(text),
    modalities: betaModalities,
    voice,
    speed,
    input_audio_format: betaFormat,
    output_audio_format: betaFormat,
    input_audio_transcription: transcription,
    turn_detection: turnDetection,
    temperature: v.nullish(within(0, 2)),
    max_response_output_tokens: maxTokens,
  }, "expected an object"),
  sessionRefusals,
);

const single = { ...answer, metadata, conversation: v.nullish(v.picklist(["auto", "none"], "expected auto or none")) };

/** The fields of one response besides its `input`. */
export const responseFields: v.ObjectEntries = {
  ...single,
  output_modalities: gaModalities,
  max_output_tokens: maxTokens,
  audio: v.nullish(notArray(v.object({ output }, "expected an object"), "expected an object with output")),
};

/** The same in the beta. */
export const betaResponseFields: v.ObjectEntries = {
  ...single,
  modalities: betaModalities,
  voice,
  output_audio_format: betaFormat,
  temperature: v.nullish(within(0, 2)),
  max_output_tokens: maxTokens,
  max_response_output_tokens: maxTokens,
};

/** What single responses have and others refuse. */
export const responseRefusals: readonly FieldRefusal[] = [
  { field: "prompt", remedy: `${leaveOut}: templates of prompts are not kept here` },
];

type Fields = Readonly<Record<string, unknown>>;

/** What a session or a response changes, in either version's words. */
export function configPatch(fields: Fields): ConfigPatch {
  const { audio, reasoning } = fields as { readonly audio?: { input?: Fields; output?: Fields }; reasoning?: Fields };
  const { input = {}, output = {} } = audio ?? {};
  const turns = pick(input, "turn_detection") ?? pick(fields, "turn_detection");
  const heard = pick(input, "transcription") ?? pick(fields, "input_audio_transcription");
  const voice = pick(output, "voice") ?? pick(fields, "voice");
  const modalities = fields.output_modalities ?? fields.modalities;
  return {
    ...fields.instructions === undefined ? {} : { instructions: (fields.instructions as string | null) ?? "" },
    ...modalities ? { spoken: (modalities as readonly string[]).includes("audio") } : {},
    ...fields.tools === undefined ? {} : { tools: (fields.tools as readonly unknown[] | null) ?? [] },
    ...fields.tool_choice === undefined ? {} : { toolChoice: fields.tool_choice ?? "auto" },
    ...given("parallelToolCalls", fields.parallel_tool_calls),
    ...given("maxTokens", fields.max_output_tokens ?? fields.max_response_output_tokens),
    ...given("temperature", fields.temperature),
    ...given("effort", reasoning?.effort),
    input: {
      ...given("format", formatOf(input.format ?? fields.input_audio_format)),
      ...heard === undefined ? {} : { transcription: heard.value as Fields | null },
      ...turns === undefined ? {} : { turns: turns.value === null ? null : turnConfig(turns.value as Fields) },
    },
    output: {
      ...given("format", formatOf(output.format ?? fields.output_audio_format)),
      ...given("voice", voice && nameOf(voice.value)),
      ...given("speed", output.speed ?? fields.speed),
      ...given("model", output.model),
    },
  } as ConfigPatch;
}

function given(name: string, value: unknown): Fields {
  return value === undefined || value === null ? {} : { [name]: value };
}

/** A member that is there, also where it is null. */
function pick(fields: Fields, name: string): { readonly value: unknown } | undefined {
  return fields[name] === undefined ? undefined : { value: fields[name] };
}

function nameOf(voice: unknown): unknown {
  return typeof voice === "object" && voice !== null ? (voice as Fields).id : voice;
}

function formatOf(format: unknown): LiveFormat | undefined {
  if (typeof format === "string") return betaFormats[format as keyof typeof betaFormats];
  return (format as { readonly type?: LiveFormat } | null | undefined)?.type;
}

/** The beta's word for a format. */
export function betaFormatOf(format: LiveFormat): string {
  return Object.entries(betaFormats).find(([, type]) => type === format)![0];
}

/** Milliseconds of silence that end a turn where a client wants its meaning to be looked at, which is not done here. */
const EAGERNESS: Readonly<Record<string, number>> = { low: 1_000, medium: 600, auto: 600, high: 300 };

function turnConfig(fields: Fields): TurnConfig {
  const semantic = fields.type === "semantic_vad" ? EAGERNESS[String(fields.eagerness ?? "auto")] : undefined;
  const number = (name: string, usual: number): number => (fields[name] as number | null | undefined) ?? usual;
  return {
    threshold: number("threshold", USUAL_TURNS.threshold),
    prefixPadding: number("prefix_padding_ms", USUAL_TURNS.prefixPadding),
    silence: semantic ?? number("silence_duration_ms", USUAL_TURNS.silence),
    idleTimeout: (fields.idle_timeout_ms as number | null | undefined) ?? undefined,
    createResponse: (fields.create_response as boolean | null | undefined) ?? true,
    interruptResponse: (fields.interrupt_response as boolean | null | undefined) ?? true,
  };
}
