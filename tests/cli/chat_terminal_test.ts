import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { programArguments } from "../support/program_arguments.ts";
import { ROOT } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";
import { installTinyModels } from "../support/tiny_store.ts";

/** The program of util-linux that runs another one in a terminal; other systems have one of that name that differs. */
const hasScript = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

/** A person at a terminal. */
class Person {
  readonly #child;
  readonly #ended: Promise<number | null>;
  #seen = "";

  constructor(home: string, args: readonly string[]) {
    const command = [process.execPath, ...programArguments(), join(ROOT, "cli", "main.ts"), ...args];
    const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    this.#child = spawn("script", ["--quiet", "--return", "--flush", "--command", `exec ${quoted}`, "/dev/null"], {
      cwd: ROOT,
      env: { ...process.env, SVC_HOME: home, SVC_MODELS_DIR: "", SVC_API_KEY: "", NO_COLOR: "1", TERM: "xterm" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#ended = once(this.#child, "close").then(([status]) => status);
    this.#child.stdout.setEncoding("utf8").on("data", (text) => this.#seen += text);
  }

  type(keys: string): void {
    this.#child.stdin.write(keys);
  }

  /** Waits for a text after what was seen before, and forgets everything up to its end. */
  async sees(text: string): Promise<string> {
    for (;;) {
      const at = this.#seen.indexOf(text);
      if (at >= 0) {
        const before = this.#seen.slice(0, at);
        this.#seen = this.#seen.slice(at + text.length);
        return before;
      }
      assert.equal(this.#child.exitCode, null, `"${text}" does not come: ${this.#seen}`);
      await once(this.#child.stdout, "data");
    }
  }

  end(): Promise<number | null> {
    return this.#ended;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }
}

test("svc chat talks in a terminal: a paste is one message, Ctrl+C stops the answer and not the program", {
  skip: !hasScript,
}, () =>
  withFolder(async (home) => {
    await installTinyModels(home, ["tiny-chat"]);
    const person = new Person(home, ["chat", "tiny-chat"]);
    try {
      await person.sees("> ");
      person.type("\x1b[200~one line\rwith emoji on another\x1b[201~\r");
      await person.sees("one line↵with emoji on another");
      await person.sees("Of course 😀: 你好，世界 — naïve café 👩‍👩‍👧, 東京タワー 🗼 and 안녕 🇫🇷.");
      await person.sees("tokens in");
      await person.sees("> ");
      person.type("go on forever\r");
      await person.sees("tick tock");
      person.type("\x03");
      await person.sees("cancelled");
      await person.sees("> ");
      person.type("half a line\x03");
      await person.sees("> ");
      person.type("\x03");
      await person.sees("(Ctrl+D or /quit to quit)");
      person.type("/clear\r");
      await person.sees("Conversation cleared");
      person.type("hi\r");
      await person.sees("I say what my script says.");
      await person.sees("> ");
      person.type("\x04");
      assert.equal(await person.end(), 0);
    } finally {
      person.kill();
    }
  }));
