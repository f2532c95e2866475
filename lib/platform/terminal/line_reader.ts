/**
 * Lines that a person types into a terminal.
 *
 * @module
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { PASTE_MARKS_OFF, PASTE_MARKS_ON, PASTED_END_OF_LINE, pasteFilter } from "./bracketed_paste.ts";

/** Asks a person for lines, with history and line editing; what is pasted stays together. */
export interface LineReader {
  /**
   * Asks once.
   *
   * @param onCancel Hears of Ctrl+C on an empty line; otherwise Ctrl+C empties the line.
   * @returns The line, with the ends of line of what was pasted; undefined at the end of the input (Ctrl+D).
   */
  ask(prompt: string, onCancel: () => void): Promise<string | undefined>;
}

/** The terminal of this process; between two questions it works as without this, so that Ctrl+C is a signal then. */
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
