/**
 * Interactive input of lines.
 *
 * @module
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { PASTE_MARKS_OFF, PASTE_MARKS_ON, PASTED_END_OF_LINE, pasteFilter } from "./bracketed_paste.ts";

/** Prompts for lines, with history and line editing; pasted text stays together. */
export interface LineReader {
  /**
   * Prompts once.
   *
   * @param onCancel Called on Ctrl+C on an empty line; otherwise Ctrl+C clears the line.
   * @returns The line, including line endings within pasted text; undefined at the end of the input (Ctrl+D).
   */
  ask(prompt: string, onCancel: () => void): Promise<string | undefined>;
}

/** The terminal of this process; between two prompts it is unchanged, so that Ctrl+C is a signal then. */
export function terminalLines(): LineReader {
  const history: string[] = [];
  return {
    ask: (prompt, onCancel) =>
      new Promise((resolve) => {
        const { stdin, stdout } = process;
        const filter = pasteFilter();
        const setRawMode = (on: boolean) => stdin.setRawMode(on);
        const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
        const take = (data: string) => void input.write(filter(data));
        stdin.setEncoding("utf8");
        stdin.on("data", take);
        stdin.resume();
        const lines = createInterface({ input, output: stdout, terminal: true, prompt, history: [...history] });
        const finish = (line: string | undefined) => {
          stdin.off("data", take);
          stdin.pause();
          stdout.write(PASTE_MARKS_OFF);
          lines.removeAllListeners("close");
          lines.close();
          resolve(line?.replaceAll(PASTED_END_OF_LINE, "\n"));
        };
        lines.once("line", (line) => {
          if (line.trim() !== "" && line !== history[0]) history.unshift(line);
          finish(line);
        });
        lines.once("close", () => finish(undefined));
        lines.on("SIGINT", () => {
          if (lines.line === "") onCancel();
          lines.write(null, { ctrl: true, name: "e" });
          lines.write(null, { ctrl: true, name: "u" });
          lines.prompt();
        });
        stdout.write(PASTE_MARKS_ON);
        lines.prompt();
      }),
  };
}
