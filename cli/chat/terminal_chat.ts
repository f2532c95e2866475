import { ApiError } from "../model_api/api_client.ts";
import { answerCounts, type ChatAnswer, followAnswer } from "./chat_answer.ts";
import { ChatConversation } from "./chat_conversation.ts";
import type { ChatCommand } from "./chat_options.ts";
import { dim, type Paint } from "../../lib/platform/terminal/terminal_text.ts";
import { type ChatServer, listChatModels } from "../model_api/chat_server.ts";

/** The terminal of a chat. */
export interface ChatTerminal {
  /** Results, to stdout, coloured where the terminal wants colours. */
  readonly write: (text: string, paint?: Paint) => void;
  /** A line of progress or an error, to stderr. */
  readonly err: (line: string, paint?: Paint) => void;
  readonly environment: (name: string) => string | undefined;
  /** Whether input and output are interactive. */
  readonly interactive: boolean;
  /** Prompts for a line; `onCancel` is called on Ctrl+C meanwhile. Undefined at the end of the input. */
  readonly ask: (prompt: string, onCancel: () => void) => Promise<string | undefined>;
  /** Calls back on Ctrl+C; the returned function unsubscribes. */
  readonly onInterrupt: (call: () => void) => () => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Runs work whose signal aborts on the first Ctrl+C. */
export async function interruptible<T>(terminal: ChatTerminal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const off = terminal.onInterrupt(() => controller.abort(new Error("Cannot continue: interrupted by Ctrl+C")));
  try {
    return await work(controller.signal);
  } finally {
    off();
  }
}

/** A chat in a terminal. */
export class TerminalChat {
  readonly #command: ChatCommand;
  readonly #server: ChatServer;
  readonly #terminal: ChatTerminal;
  readonly #conversation: ChatConversation;
  #model: string;

  constructor(command: ChatCommand, server: ChatServer, terminal: ChatTerminal) {
    this.#command = command;
    this.#server = server;
    this.#terminal = terminal;
    this.#model = server.model;
    this.#conversation = new ChatConversation(command.system);
  }

  /** Answers one message, for a pipe or a script. */
  async answerOnce(message: string, signal: AbortSignal): Promise<number> {
    const { json } = this.#command;
    const answer = await this.#answer(message, signal, json);
    const { content, reasoning, finishReason, usage, seconds, firstTextSeconds } = answer;
    if (json) {
      const record = { model: this.#model, content, reasoning_content: reasoning || undefined, usage };
      this.#terminal.write(
        `${
          JSON.stringify({ ...record, finish_reason: finishReason, seconds, first_text_seconds: firstTextSeconds })
        }\n`,
      );
    } else {
      this.#terminal.write(content.endsWith("\n") ? "" : "\n");
      if (this.#terminal.interactive) this.#terminal.err(answerCounts(answer), dim);
    }
    return finishReason === undefined ? 1 : 0;
  }

  /** Prompts for messages and answers them until the user quits. */
  async talk(): Promise<number> {
    const { err, ask } = this.#terminal;
    err(`Chatting with ${this.#model} on ${this.#server.client.url}; /help lists the commands`, dim);
    for (;;) {
      const line = await readLines(ask, () => err("(Ctrl+D or /quit to quit)", dim));
      if (line === undefined) return 0;
      const step = this.#conversation.read(line);
      if (step.kind === "quit") return 0;
      if (step.kind === "print") err(step.text);
      if (step.kind === "model") await this.#printingErrors(() => this.#choose(step.model));
      if (step.kind === "ask") await this.#printingErrors(() => this.#reply(step.message));
    }
  }

  async #choose(model: string | undefined): Promise<void> {
    const models = await listChatModels(this.#server.client, AbortSignal.timeout(10_000));
    const listed = models.map((id) => `  ${id === this.#model ? "* " : "  "}${id}`).join("\n");
    const chosen = models.find((id) => id.toLowerCase() === model?.toLowerCase());
    if (model === undefined) this.#terminal.err(`Models:\n${listed}`);
    else if (chosen === undefined) this.#terminal.err(`Unknown model ${model}, expected one of\n${listed}`);
    else this.#terminal.err(`Switched to ${this.#model = chosen}`);
  }

  /** Ctrl+C cancels the answer; the text so far stays in the conversation. */
  async #reply(message: string): Promise<void> {
    const { write, err } = this.#terminal;
    const answer = await interruptible(this.#terminal, (signal) => this.#answer(message, signal, false));
    write(answer.content === "" || answer.content.endsWith("\n") ? "" : "\n");
    if (answer.content !== "") this.#conversation.keep(message, answer.content);
    err(answerCounts(answer), dim);
  }

  async #answer(message: string, signal: AbortSignal, quiet: boolean): Promise<ChatAnswer> {
    const { temperature, maxTokens } = this.#command;
    const request = {
      model: this.#model,
      messages: this.#conversation.messages(message),
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    };
    const { write, interactive, now } = this.#terminal;
    let behindThought = false;
    const view = {
      text: (text: string) => {
        if (!quiet) write(behindThought ? `\n\n${text}` : text);
        behindThought = false;
      },
      thought: (text: string) => {
        if (quiet || !interactive) return;
        write(text, dim);
        behindThought = true;
      },
    };
    return await followAnswer(this.#server.client.chat(request, signal), view, now, signal);
  }

  async #printingErrors(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#terminal.err(error instanceof Error ? error.message : String(error));
      if (error instanceof ApiError && error.code === "context_length_exceeded") {
        this.#terminal.err("/clear clears the conversation");
      }
    }
  }
}

/** A line with its continuation lines. */
async function readLines(ask: ChatTerminal["ask"], onCancel: () => void): Promise<string | undefined> {
  let text = "";
  for (;;) {
    const line = await ask(text === "" ? "> " : ". ", onCancel);
    if (line === undefined) return undefined;
    if (!line.endsWith("\\")) return text + line;
    text += `${line.slice(0, -1)}\n`;
  }
}
