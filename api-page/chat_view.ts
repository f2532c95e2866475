/**
 * The chat: a form, the messages, and what they are made of.
 *
 * @module
 */
import type { ChatChunk } from "../lib/protocol/chat/chat_wire.ts";
import { button, byId, setText } from "../world-page/ui/dom.ts";
import { eventsOf, post, warningsOf } from "./api.ts";
import { ChatAnswer } from "./chat_answer.ts";
import { AnswerView, type Message, messageItem, resultForm } from "./chat_items.ts";
import type { ModelsView } from "./models_view.ts";
import type { PlaygroundParts } from "./playgrounds.ts";
import { canRecord, record, type Recording, speak, transcribe } from "./voice.ts";

const CHAT = "/v1/chat/completions";

/** A tool to begin with. */
const EXAMPLE_TOOLS = [{
  type: "function",
  function: {
    name: "get_weather",
    description: "The weather in a city",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
}];

/** A conversation with one of the models. */
export class ChatView {
  readonly #parts: PlaygroundParts;
  readonly #models: ModelsView;
  readonly #log = byId("chat-log", HTMLElement);
  readonly #text = byId("chat-text", HTMLTextAreaElement);
  readonly #status = byId("chat-status", HTMLElement);
  #messages: Message[] = [];
  #aborter: AbortController | undefined;
  #recording: Recording | undefined;

  constructor(parts: PlaygroundParts, models: ModelsView) {
    this.#parts = parts;
    this.#models = models;
    const form = byId("chat-form", HTMLFormElement);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const content = this.#text.value.trim();
      if (content !== "" && this.#aborter === undefined) void this.#ask([{ role: "user", content }]);
    });
    this.#text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    byId("chat-stop", HTMLButtonElement).addEventListener("click", () => this.#aborter?.abort());
    byId("chat-new", HTMLButtonElement).addEventListener("click", () => this.#clear());
    byId("chat-model", HTMLSelectElement).addEventListener("change", () => this.modelsChanged());
    byId("chat-example", HTMLButtonElement).addEventListener("click", () => {
      byId("chat-tools", HTMLTextAreaElement).value = JSON.stringify(EXAMPLE_TOOLS, null, 2);
    });
    const toggle = (): void =>
      void parts.attempt(() => this.#recording ? this.#endRecording() : this.#startRecording());
    byId("chat-record", HTMLButtonElement).addEventListener("click", toggle);
  }

  /** Shows what the installed models can do. */
  modelsChanged(): void {
    const chats = this.#models.of("chat.completions");
    const { value } = byId("chat-model", HTMLSelectElement);
    byId("chat-think-field", HTMLElement).hidden = !chats.find(({ id }) => id === value)?.reasoning;
    byId("chat-send", HTMLButtonElement).disabled = chats.length === 0;
    byId("chat-record", HTMLButtonElement).hidden = !canRecord() ||
      this.#voiceModel("audio.transcriptions") === undefined;
  }

  /** Sends messages after those before; where that fails, they are taken back, and the answer is false. */
  async #ask(messages: readonly Message[]): Promise<boolean> {
    const shown = messages.map((message) => this.#log.appendChild(messageItem(message)));
    const { value: draft } = this.#text;
    const before = this.#messages;
    const aborter = this.#aborter = new AbortController();
    this.#busy(true);
    let failed = true;
    await this.#parts.attempt(async () => {
      const body = this.#body([...before, ...messages]);
      if (messages[0]["role"] === "user") this.#text.value = "";
      await this.#stream(body, [...before, ...messages], aborter.signal);
      failed = false;
    });
    if (failed) {
      for (const item of shown) item.remove();
      this.#messages = before;
      if (messages[0]["role"] === "user") this.#text.value = draft;
    }
    if (this.#aborter === aborter) this.#aborter = undefined;
    this.#busy(false);
    return !failed;
  }

  async #stream(body: object, asked: readonly Message[], signal: AbortSignal): Promise<void> {
    this.#parts.code.show({ path: CHAT, body: body as Record<string, unknown> });
    setText(this.#status, "Waiting for the model");
    const view = new AnswerView();
    this.#log.append(view.item);
    const answer = new ChatAnswer(performance.now());
    let warnings = "";
    try {
      const response = await post(CHAT, body, signal);
      warnings = warningsOf(response);
      for await (const chunk of eventsOf<ChatChunk>(response, signal)) {
        answer.add(chunk, performance.now());
        setText(this.#status, "");
        this.#following(() => view.show(answer));
      }
    } catch (error) {
      if (!signal.aborted || answer.text + answer.reasoning === "") view.item.remove();
      if (!signal.aborted) throw error;
      setText(this.#status, "Stopped");
    }
    // An answer that was stopped keeps what came; one without any text is not a message.
    const said = answer.text !== "" || answer.calls.length > 0;
    if (signal.reason === CLEARED) return;
    this.#messages = said ? [...asked, answer.message() as Message] : [...asked];
    this.#following(() => view.end([answer.facts(), warnings].filter(Boolean).join(" · "), this.#actions(answer)));
  }

  #actions({ text, calls }: ChatAnswer): readonly Node[] {
    const model = this.#voiceModel("audio.speech");
    const actions: Node[] = [];
    if (calls.length > 0) actions.push(resultForm(calls, (results) => this.#ask(results)));
    if (model !== undefined && text.trim() !== "") actions.push(this.#speechButton(text, model));
    return actions;
  }

  #speechButton(text: string, model: string): HTMLButtonElement {
    let speaking: AbortController | undefined;
    const made = button("Read aloud", () => {
      if (speaking) return speaking.abort();
      const { signal } = speaking = new AbortController();
      made.textContent = "Stop reading";
      void this.#parts.attempt(async () => {
        await speak(text, model, signal, (request) => this.#parts.code.show(request)).catch((error) => {
          if (!signal.aborted) throw error;
        });
      }).finally(() => {
        speaking = undefined;
        made.textContent = "Read aloud";
      });
    });
    return made;
  }

  #body(messages: readonly Message[]): Record<string, unknown> {
    const system = byId("chat-system", HTMLTextAreaElement).value.trim();
    const number = (name: string, id: string): object => {
      const field = byId(id, HTMLInputElement);
      return field.value === "" ? {} : { [name]: field.valueAsNumber };
    };
    return {
      model: byId("chat-model", HTMLSelectElement).value,
      messages: system === "" ? messages : [{ role: "system", content: system }, ...messages],
      ...number("temperature", "chat-temperature"),
      ...number("max_completion_tokens", "chat-tokens"),
      ...number("seed", "chat-seed"),
      ...byId("chat-think-field", HTMLElement).hidden || byId("chat-think", HTMLInputElement).checked
        ? {}
        : { enable_thinking: false },
      ...readTools(byId("chat-tools", HTMLTextAreaElement).value),
      stream: true,
      stream_options: { include_usage: true, include_reasoning: true },
    };
  }

  async #startRecording(): Promise<void> {
    const control = byId("chat-record", HTMLButtonElement);
    control.disabled = true;
    this.#recording = await record().finally(() => control.disabled = false);
    setRecording(true);
    setText(this.#status, "Recording");
  }

  async #endRecording(): Promise<void> {
    const recording = this.#recording!;
    this.#recording = undefined;
    setRecording(false);
    setText(this.#status, "Transcribing");
    try {
      const sound = await recording.stop();
      const model = this.#voiceModel("audio.transcriptions") ?? "";
      const heard = await transcribe(sound, model, (made) => this.#parts.code.show(made));
      this.#text.value = [this.#text.value.trim(), heard.trim()].filter(Boolean).join(" ");
      this.#text.focus();
    } finally {
      setText(this.#status, "");
    }
  }

  #voiceModel(task: string): string | undefined {
    return this.#models.of(task)[0]?.id;
  }

  #clear(): void {
    this.#aborter?.abort(CLEARED);
    this.#aborter = undefined;
    this.#messages = [];
    this.#log.replaceChildren();
    setText(this.#status, "");
    this.#text.focus();
  }

  #busy(is: boolean): void {
    this.#log.setAttribute("aria-busy", `${is}`);
    byId("chat-send", HTMLButtonElement).hidden = is;
    byId("chat-stop", HTMLButtonElement).hidden = !is;
  }

  /** Changes the messages, and keeps their end in sight where it was. */
  #following(change: () => void): void {
    const log = this.#log;
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    change();
    if (atEnd) log.scrollTop = log.scrollHeight;
  }
}

/** Why a request ends whose chat is cleared. */
const CLEARED: DOMException = new DOMException("The chat was cleared", "AbortError");

function readTools(text: string): { readonly tools?: unknown } {
  if (text.trim() === "") return {};
  try {
    return { tools: JSON.parse(text) };
  } catch (error) {
    throw new Error(`Cannot read the tools: ${(error as Error).message}, expected a JSON array`);
  }
}

function setRecording(is: boolean): void {
  const record = byId("chat-record", HTMLButtonElement);
  record.textContent = is ? "Stop recording" : "Dictate";
  record.setAttribute("aria-pressed", `${is}`);
}
