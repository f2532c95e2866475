import { closestWord } from "../../lib/errors/closest_word.ts";

/** A message as it goes to the model. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What a line of a person asks for: an answer, something that is done, the end. */
export type ChatStep =
  | { readonly kind: "ask"; readonly message: string }
  | { readonly kind: "tell"; readonly text: string }
  | { readonly kind: "model"; readonly model: string | undefined }
  | { readonly kind: "quit" }
  | { readonly kind: "nothing" };

const COMMANDS = {
  help: "tells this",
  clear: "forgets the conversation",
  system: "TEXT: what the model is told first; without TEXT nothing",
  model: "NAME: goes on with another model; without NAME lists them",
  quit: "ends (so does Ctrl+D)",
} as const;

const HELP = [
  ...Object.entries(COMMANDS).map(([name, help]) => `/${name}`.padEnd(10) + help),
  "A line that ends in \\ goes on in the next one; what is pasted stays together.",
  "Ctrl+C stops an answer.",
].join("\n");

/** What was said so far, and the commands that change it. */
export class ChatConversation {
  #system: string | undefined;
  #said: readonly ChatMessage[] = [];

  constructor(system: string | undefined) {
    this.#system = system || undefined;
  }

  /** All messages, the one that is to be answered included. */
  messages(message: string): readonly ChatMessage[] {
    const system: ChatMessage[] = this.#system === undefined ? [] : [{ role: "system", content: this.#system }];
    return [...system, ...this.#said, { role: "user", content: message }];
  }

  /** Keeps a message with its answer; thoughts are of no use to later answers. */
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
        return { kind: "tell", text: HELP };
      case "clear":
        this.#said = [];
        return { kind: "tell", text: "The conversation is forgotten" };
      case "system":
        this.#system = rest || undefined;
        return {
          kind: "tell",
          text: rest ? "The model is told this first from now on" : "The model is told nothing first",
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
      kind: "tell",
      text: `There is no command /${name}, ${meant ? `did you mean /${meant}?` : "see /help"}`,
    };
  }
}
