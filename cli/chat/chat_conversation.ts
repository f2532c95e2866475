import { closestWord } from "../../lib/errors/closest_word.ts";

/** A message as sent to the model. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What an input line means: a request for an answer, an executed command, or the end. */
export type ChatStep =
  | { readonly kind: "ask"; readonly message: string }
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "model"; readonly model: string | undefined }
  | { readonly kind: "quit" }
  | { readonly kind: "nothing" };

const COMMANDS = {
  help: "show this help",
  clear: "clear the conversation",
  system: "TEXT: set the system prompt; without TEXT remove it",
  model: "NAME: switch to another model; without NAME list the models",
  quit: "quit (or press Ctrl+D)",
} as const;

const HELP = [
  ...Object.entries(COMMANDS).map(([name, help]) => `/${name}`.padEnd(10) + help),
  "A line that ends in \\ continues on the next one; pasted text stays together.",
  "Ctrl+C cancels an answer.",
].join("\n");

/** The conversation so far, and the commands that change it. */
export class ChatConversation {
  #system: string | undefined;
  #said: readonly ChatMessage[] = [];

  constructor(system: string | undefined) {
    this.#system = system || undefined;
  }

  /** All messages, including the one to answer. */
  messages(message: string): readonly ChatMessage[] {
    const system: ChatMessage[] = this.#system === undefined ? [] : [{ role: "system", content: this.#system }];
    return [...system, ...this.#said, { role: "user", content: message }];
  }

  /** Adds a message and its answer; reasoning is left out, since later answers do not need it. */
  keep(message: string, answer: string): void {
    this.#said = [...this.#said, { role: "user", content: message }, { role: "assistant", content: answer }];
  }

  /** Reads a line: a command of the form `/word`, or a message. */
  read(line: string): ChatStep {
    const text = line.trim();
    if (text === "") return { kind: "nothing" };
    const [, name, rest = ""] = /^\/([a-z]+)(?:\s+([^]*))?$/i.exec(text) ?? [];
    if (name === undefined) return { kind: "ask", message: text };
    switch (name.toLowerCase()) {
      case "help":
        return { kind: "print", text: HELP };
      case "clear":
        this.#said = [];
        return { kind: "print", text: "Conversation cleared" };
      case "system":
        this.#system = rest || undefined;
        return {
          kind: "print",
          text: rest ? "System prompt set" : "System prompt removed",
        };
      case "model":
        return { kind: "model", model: rest || undefined };
      case "quit":
      case "exit":
      case "bye":
        return { kind: "quit" };
    }
    const meant = closestWord(name, Object.keys(COMMANDS));
    return {
      kind: "print",
      text: `Unknown command /${name}, ${meant ? `did you mean /${meant}?` : "see /help"}`,
    };
  }
}
