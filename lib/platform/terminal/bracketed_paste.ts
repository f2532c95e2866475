/**
 * Text that is pasted into a terminal as one piece, whatever ends of line it has.
 *
 * @module
 */

/** Asks a terminal to mark what is pasted (xterm control sequences, "Bracketed Paste Mode"). */
export const PASTE_MARKS_ON = "\x1b[?2004h";

/** Asks it to stop. */
export const PASTE_MARKS_OFF = "\x1b[?2004l";

/** Stands for an end of line within a pasted text while it is edited as one line. */
export const PASTED_END_OF_LINE = "↵";

const BEGIN = "\x1b[200~";
const END = "\x1b[201~";

/**
 * Turns what a terminal sends into what a line editor takes: the marks of pastes go, ends of line within them become
 * {@linkcode PASTED_END_OF_LINE}, and control characters within them go too. The text may come in any pieces.
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
    // A carriage return at the end may be the first half of an end of line.
    const cut = pasting ? Math.max(beginningOf(END, rest), rest.endsWith("\r") ? 1 : 0) : beginningOf(BEGIN, rest);
    // A lone escape is a key of its own and must not wait for the next one.
    const keep = !pasting && cut === 1 ? 0 : cut;
    held = rest.slice(rest.length - keep);
    const now = rest.slice(0, rest.length - keep);
    return result + (pasting ? pasted(now) : now);
  };
}

/** How many letters at the end of a text may be the beginning of a mark. */
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
