/**
 * OpenAI's Realtime: conversations over a socket, with the installed chat model, recogniser and voice.
 *
 * @module
 */
import {
  Places,
  type RealtimeConfig,
  type RealtimeVersion,
  type TranscriptionConfig,
  usualConfig,
} from "../../../protocol/mod.ts";
import { transcriptText } from "../../../protocol/transcription/transcript.ts";
import type { Clock } from "../../../scheduling/mod.ts";
import { type ErrorObject, SvcError } from "../../../errors/svc_error.ts";
import { prepareSpeech } from "../audio/speech_service.ts";
import { checkTranscription, prepareTranscription, type TranscriptionOptions } from "../audio/transcription_service.ts";
import type { ChatService } from "../chat_service.ts";
import type { RealtimeAllowance } from "./realtime_answers.ts";
import { RealtimeSession } from "./realtime_session.ts";
import type { Transcribe } from "./transcripts.ts";

/** Bounds of all sessions, and of one. */
export const REALTIME_LIMITS: {
  /** Sessions at the same time. */
  readonly sessions: number;
  /** Milliseconds after which a session ends. */
  readonly age: number;
} = { sessions: 64, age: 60 * 60 * 1000 };

/** Makes a private folder for the sound of one turn. */
export type MakeSoundFolder = () => Promise<{
  create(name: string): Promise<{
    write(bytes: Uint8Array): Promise<void>;
    close(): Promise<{ readonly path: string }>;
  }>;
  remove(): Promise<void>;
}>;

/** The client of a session. */
export interface RealtimeClient {
  readonly version: RealtimeVersion;
  /** The chat model; empty for the default one. */
  readonly model: string;
  readonly send: (text: string) => void;
  /** Resolves when little waits for the client. */
  readonly drained: (signal: AbortSignal) => Promise<void>;
  /** Counts a request. Throws `rate_limit_exceeded`. */
  readonly takeRate: () => RealtimeAllowance | undefined;
  readonly explain: (error: unknown) => ErrorObject;
  readonly makeFolder: MakeSoundFolder;
}

/** What sessions are made with. */
export interface RealtimeServiceOptions {
  readonly chats: ChatService;
  readonly transcriptions: TranscriptionOptions;
  readonly defaultModel: string | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Opens sessions. */
export class RealtimeService {
  readonly #options: RealtimeServiceOptions;
  #open = 0;
  #total = 0;

  constructor(options: RealtimeServiceOptions) {
    this.#options = options;
  }

  /** Milliseconds after which a session ends. */
  readonly age: number = REALTIME_LIMITS.age;

  /** Sessions that are open, and all that were opened. */
  get counts(): { readonly open: number; readonly total: number } {
    return { open: this.#open, total: this.#total };
  }

  /**
   * Takes a place for a session.
   *
   * @returns Gives it back.
   * @throws {SvcError} `too_many_realtime_sessions`.
   */
  enter(): () => void {
    if (this.#open >= REALTIME_LIMITS.sessions) {
      const message = `Cannot open the session: ${this.#open} are open, which is the limit, close one or retry later`;
      throw new SvcError("too_many_realtime_sessions", message);
    }
    this.#open++;
    this.#total++;
    let isOpen = true;
    return () => {
      if (isOpen) this.#open--;
      isOpen = false;
    };
  }

  /**
   * Opens a session.
   *
   * @throws {SvcError} where its chat model is not one.
   */
  async open(client: RealtimeClient): Promise<RealtimeSession> {
    const { chats, transcriptions, defaultModel = "", clock, newId } = this.#options;
    const { directory, runtime } = transcriptions;
    const name = client.model.trim() === "" ? defaultModel : client.model;
    const { model } = await directory.find(name, "chat", "open the session");
    const [voice, recogniser] = await Promise.all([
      directory.findFor(undefined, "speech", "speak").then(({ profile }) => profile.voices[0], () => undefined),
      directory.findFor(undefined, "transcription", "hear").then(() => true, () => false),
    ]);
    const beside = { perform: runtime.performBeside.bind(runtime) };
    return new RealtimeSession({
      ...client,
      head: {
        id: `sess_${newId().replaceAll("-", "").slice(0, 20)}`,
        model: model.id,
        expiresAt: Math.floor((clock.now() + REALTIME_LIMITS.age) / 1000),
      },
      asked: client.model,
      config: usualConfig(voice, recogniser),
      clock,
      newId,
      chat: (chat) => chats.prepareDialect(chat),
      speech: (body) => prepareSpeech(body, { directory, runtime: beside }),
      transcribe: this.#transcribe(client.makeFolder),
      check: (config, listens) => this.#check(config, listens),
      warm: (config) => this.#warm(model.id, config),
    });
  }

  #transcribe(makeFolder: MakeSoundFolder): Transcribe {
    return async ({ bytes }, config, onSegment, signal) => {
      const folder = await makeFolder();
      try {
        const file = await folder.create("turn.wav");
        await file.write(bytes);
        const { path } = await file.close();
        const form = { texts: formTexts(config), file: { path, filename: "turn.wav" } };
        const prepared = await prepareTranscription(form, this.#options.transcriptions);
        signal.throwIfAborted();
        const { segments } = await prepared.run(signal, ({ text }) => onSegment(text));
        return transcriptText(segments);
      } finally {
        await folder.remove();
      }
    };
  }

  /** Makes sure that the models of a configuration are installed. */
  async #check({ spoken, output, input }: RealtimeConfig, listens: boolean): Promise<void> {
    const { directory } = this.#options.transcriptions;
    if (spoken) {
      await directory.findFor(output.model, "speech", "speak answers").catch((error) => {
        throw voicePlaces.reword(error);
      });
    }
    if (!listens) return;
    await checkTranscription(formTexts(input.transcription), directory).catch((error) => {
      throw recogniserPlaces.reword(error);
    });
  }

  /** Loads models in the background; one that cannot be loaded is reported when it is used. */
  #warm(chat: string, { spoken, output, input }: RealtimeConfig): void {
    const { directory, runtime } = this.#options.transcriptions;
    const signal = new AbortController().signal;
    const load = async (): Promise<void> => {
      const heard = await directory.findFor(input.transcription?.model ?? undefined, "transcription", "hear");
      await runtime.preload(heard.model, signal);
      if (!runtime.chatEngines.has(chat)) {
        await runtime.load((await directory.find(chat, "chat", "load")).model, signal);
      }
      if (spoken) await runtime.preload((await directory.findFor(output.model, "speech", "speak")).model, signal);
    };
    load().catch(() => {});
  }
}

/** The fields of a transcription, as those of a form. */
function formTexts(config: TranscriptionConfig | null): ReadonlyMap<string, readonly string[]> {
  const { model, language, prompt } = config ?? {};
  const given = Object.entries({ model, language, prompt });
  return new Map(given.flatMap(([field, value]) => typeof value === "string" ? [[field, [value]] as const] : []));
}

/** Where a session has what the routes of audio have in their fields. */
const voicePlaces = new Places();
voicePlaces.set("model", "session.audio.output.model");
const recogniserPlaces = new Places();
for (const field of ["model", "language", "prompt"]) {
  recogniserPlaces.set(field, `session.audio.input.transcription.${field}`);
}
