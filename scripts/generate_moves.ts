/**
 * Writes what the table of camera moves says into the page and the docs: the buttons of world-page/index.html and the
 * table of docs/world-session.md.
 *
 *   node --import tsx scripts/generate_moves.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { cameraOfKeys } from "../lib/world/protocol/camera_keys.ts";
import { MOTION_TABLE, motionKeys, type MotionRow, padKeys, type PadName } from "../lib/world/protocol/motion_table.ts";
import { keyName } from "../world-page/moves/moves.ts";

const rows: readonly [string, MotionRow][] = Object.entries(MOTION_TABLE);
const ofArworlds: readonly string[] = [" ", ...motionKeys(false)];

/** The files and what they are to be. */
export const WITH_MOVES: Readonly<Record<string, (text: string) => string>> = {
  "world-page/index.html": withButtons,
  "docs/world-session.md": withTable,
};

/** The page with a button for every move that has a key: on its pad, or between "Walk back" and "Stop". */
function withButtons(html: string): string {
  const middle = rows.filter(([, { key, pad }]) => key !== undefined && pad === undefined);
  const pads = (["move", "look"] as const).reduce(
    (page, pad) => replaced(page, new RegExp(`(data-pad="${pad}">\n)[^]*?( *</div>)`), buttons(padRows(pad))),
    html,
  );
  return replaced(pads, /(id="back".*\n)[^]*?( *<button type="button" id="cancel")/, buttons(middle));
}

function padRows(pad: PadName): [string, MotionRow][] {
  return padKeys(pad).flatMap((key) => rows.filter(([, row]) => row.key === key));
}

function buttons(moves: readonly [string, MotionRow][]): string {
  return moves.map(([name, { key = "", label, pad }]) => {
    const shown = keyName(key);
    const attributes = [
      `type="button"`,
      `data-move="${name}"`,
      `aria-keyshortcuts="${shown}"`,
      ...(pad ? [`class="${pad[1]}"`] : []),
      ...(ofArworlds.includes(key) ? [] : [`data-only="actionworld"`]),
    ];
    const last = attributes.pop();
    const [indent, more] = [" ".repeat(12), " ".repeat(14)];
    return `${indent}<button ${
      attributes.join(" ")
    }\n${more}${last}><kbd>${shown}</kbd><span>${label}</span></button>\n`;
  }).join("");
}

/** The page of the docs with the table of all moves, between two comments. */
function withTable(page: string): string {
  const heads = ["Key", "Move", "`motion`", "`translation_meters`", "`rotation_degrees`", "Undone by"];
  const lines = rows.map(([, { key, label, motion, opposite }]) => {
    const camera = key === undefined ? undefined : cameraOfKeys(key);
    const numbers = (triple?: readonly number[]) => triple ? `\`[${triple.join(", ")}]\`` : "any";
    const undone = opposite === undefined
      ? "nothing"
      : MOTION_TABLE[opposite].key === undefined
      ? "its numbers negated"
      : `\`${MOTION_TABLE[opposite].key}\``;
    return [
      key === undefined ? "" : key === " " ? "space" : `\`${key}\``,
      label,
      `\`${motion}\``,
      numbers(camera?.translationMeters),
      numbers(camera?.rotationDegrees),
      undone,
    ];
  });
  return replaced(page, /(<!-- moves: .*-->\n)[^]*?(<!-- end of moves -->)/, `\n${table([heads, ...lines])}\n`);
}

/** A table of Markdown whose columns are aligned, as `deno fmt` writes it. */
function table([heads, ...lines]: readonly (readonly string[])[]): string {
  const widths = heads.map((head, i) => Math.max(head.length, ...lines.map((line) => line[i].length)));
  const line = (cells: readonly string[], fill = " ") =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i], fill)).join(" | ")} |\n`;
  return [line(heads), line(heads.map(() => ""), "-"), ...lines.map((cells) => line(cells))].join("");
}

function replaced(text: string, place: RegExp, between: string): string {
  if (!place.test(text)) {
    throw new Error(`Cannot write the moves: no ${place} in the file, expected the place for them`);
  }
  return text.replace(place, (_, before: string, after: string) => before + between + after);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, write] of Object.entries(WITH_MOVES)) {
    const file = new URL(`../${path}`, import.meta.url);
    writeFileSync(file, write(readFileSync(file, "utf8")));
  }
}
