import type {
  ChatEngine,
  ChatListener,
  ChatOptions,
  ChatOutcome,
  TextLook,
  TextSeen,
} from "../../lib/engines/contract/chat_engine.ts";
import type { EngineCounters } from "../../lib/engines/contract/language_model.ts";
import type { ChatModelProfile } from "../../lib/engines/contract/model_profile.ts";
import type { ChatRequest, WireDraft } from "../../lib/protocol/mod.ts";
import { orAbort } from "../../lib/scheduling/linked_signal.ts";
import { settle } from "./fake_clock.ts";
import { FakeProcess } from "./fake_process.ts";

/** What a fake model answers. */
export interface FakeAnswer {
  /** Text in the pieces in which it comes; `Hello` and ` there` when omitted. */
  readonly pieces?: readonly string[];
  readonly drafts?: readonly WireDraft[];
  /** Parts of the outcome that differ. */
  readonly outcome?: Partial<ChatOutcome>;
  /** What it fails with, before or after its pieces. */
  readonly failure?: { readonly at: "start" | "end"; readonly error: unknown };
  /** Waits for it, before or after its pieces; an abort ends the wait. */
  readonly hold?: { readonly at: "start" | "end"; readonly until: Promise<unknown> };
}

/** An engine with scripted answers. */
export class FakeChatEngine extends FakeProcess implements ChatEngine {
  readonly kind = "chat";
  readonly profile: ChatModelProfile;
  readonly calls: { readonly request: ChatRequest; readonly options: ChatOptions; readonly signal: AbortSignal }[] = [];
  counters: EngineCounters = {};
  active = 0;
  maxActive = 0;
  readonly #answer: (request: ChatRequest) => FakeAnswer;

  constructor(profile: ChatModelProfile, answer: (request: ChatRequest) => FakeAnswer) {
    super();
    this.profile = profile;
    this.#answer = answer;
  }

  async chat(
    request: ChatRequest,
    options: ChatOptions,
    listener: ChatListener,
    signal: AbortSignal,
  ): Promise<ChatOutcome> {
    this.calls.push({ request, options, signal });
    const { pieces = ["Hello", " there"], drafts = [], outcome = {}, failure, hold } = this.#answer(request);
    this.active++;
    this.maxActive = Math.max(this.maxActive, this.active);
    const at = async (when: "start" | "end"): Promise<void> => {
      if (hold?.at === when) await orAbort(hold.until, signal);
      signal.throwIfAborted();
      if (failure?.at === when) throw failure.error;
    };
    try {
      listener.onPrefill(0, 7);
      await at("start");
      for (const draft of drafts) listener.onDraft(draft);
      for (const piece of pieces) {
        listener.onTokens(1);
        if (request.tools.length === 0) listener.onText(piece);
        await Promise.resolve();
      }
      await at("end");
      return { ...this.#outcome(request, pieces.join("")), ...outcome };
    } finally {
      await settle(); // the slot is free a little later than the client has disconnected
      this.active--;
    }
  }

  /** Its tokens are the letters of a text; a prompt has each message between marks. */
  look(look: TextLook): Promise<TextSeen> {
    const text = look.kind === "decode"
      ? String.fromCodePoint(...look.tokens.map((id) => Math.min(id, 0x10ffff)))
      : look.kind === "encode"
      ? (look.marks ? "^" : "") + look.text
      : look.request.messages.map(({ role, content }) => `<${role}>${content}`).join("");
    const letters = [...text];
    const tokens = letters.map((letter) => letter.codePointAt(0)!);
    const pieces = letters.map((letter) => new TextEncoder().encode(letter));
    return Promise.resolve({ text, tokens, pieces, count: tokens.length });
  }

  #outcome(request: ChatRequest, content: string): ChatOutcome {
    const rest = request.tools.length > 0 ? content : "";
    const message = { role: "assistant", content } as const;
    return {
      answer: { rest, restReasoning: undefined, message, finishReason: "stop" },
      promptTokens: 7,
      cachedTokens: 3,
      completionTokens: 2,
      prefillSeconds: 0.5,
      decodeSeconds: 0.25,
      firstTokenSeconds: 0.625,
    };
  }
}
