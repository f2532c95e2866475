/**
 * Interactive input of lines.
 *
 * @module
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

/** Prompts for lines, with history and line editing; pasted text stays together. */
interface LineReader {
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

/** Turns the marking of pasted text on (xterm control sequences, "Bracketed Paste Mode"). */
const PASTE_MARKS_ON = "\x1b[?2004h";

/** Turns it off. */
const PASTE_MARKS_OFF = "\x1b[?2004l";

/** Stands for a line ending within pasted text while it is edited as one line. */
const PASTED_END_OF_LINE = "↵";

const BEGIN = "\x1b[200~";
const END = "\x1b[201~";

/**
 * Converts terminal input for a line editor: paste markers are removed, line endings within a paste become {@linkcode
 * PASTED_END_OF_LINE}, and control characters within it are removed. The input may arrive in any pieces.
 */
export function pasteFilter(): (text: string) => string {
  let held = "";
  let pasting = false;
  return (text) => {
    let rest = held + text;
    held = "";
    let result = "";
    for (;;) {
      const mark = pasting ? END : BEGIN;
      const at = rest.indexOf(mark);
      if (at < 0) break;
      result += pasting ? pasted(rest.slice(0, at)) : rest.slice(0, at);
      rest = rest.slice(at + mark.length);
      pasting = !pasting;
    }
    // A carriage return at the end may be the first half of a CRLF.
    const cut = pasting ? Math.max(beginningOf(END, rest), rest.endsWith("\r") ? 1 : 0) : beginningOf(BEGIN, rest);
    // A lone escape is a key and must not wait for the next one.
    const keep = !pasting && cut === 1 ? 0 : cut;
    held = rest.slice(rest.length - keep);
    const now = rest.slice(0, rest.length - keep);
    return result + (pasting ? pasted(now) : now);
  };
}

/** The number of letters at the end of a text that may start a marker. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

function pasted(text: string): string {
  // deno-lint-ignore no-control-regex -- these characters are what it is about
  return text.replace(/\r\n|\r|\n/g, PASTED_END_OF_LINE).replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}
