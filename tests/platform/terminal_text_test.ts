import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import type { WriteStream } from "node:tty";
import { dim, printable, terminalText, wantsColour, writeText } from "../../lib/platform/terminal/terminal_text.ts";
import { createLog } from "../../lib/platform/processes/log.ts";

/** Clears the screen, sets the window's title and the clipboard, goes back to the begin of the line, reorders. */
const HOSTILE = "a\x1b[2J\x1b]0;t\x07\x1b]52;c;eA==\x07\rb\x9b31mc\x08\x7f\u202ed\u2066e";

const BY_CODE = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code));

test("what a terminal acts on is visible, and everything else is as it was", () => {
  const escaped = BY_CODE.filter((character) => terminalText(character) !== character);
  const codes = escaped.map((character) => character.charCodeAt(0));
  const expected = [
    ...Array.from({ length: 0x20 }, (_, code) => code).filter((code) => code !== 9 && code !== 10),
    ...Array.from({ length: 0x21 }, (_, i) => 0x7f + i),
    ...[0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
  ];
  assert.deepEqual(codes, expected);
  for (const character of escaped) {
    assert.equal(
      JSON.parse(`"${terminalText(character)}"`),
      character,
      "as JSON writes it: output of --json stays JSON",
    );
  }
  const text = "Zeile\n\tמילה, کلمه, 👩‍👩‍👧 e\u0301\n";
  assert.equal(terminalText(text), text);
  assert.equal(printable("a\nb\u2028c\ufeff"), "a\\u000ab\\u2028c\\ufeff");
});

test("a terminal gets visible text, a pipe the bytes", () => {
  const written: string[] = [];
  const stream = (isTTY: boolean) =>
    ({ isTTY, write: (text: string) => written.push(text) > 0 }) as unknown as WriteStream;
  writeText(stream(true), HOSTILE);
  writeText(stream(true), "\x1b[22mnot dim\n", dim, {});
  writeText(stream(true), "plain\n", dim, { NO_COLOR: "1" });
  writeText(stream(false), "piped\n", dim, {});
  writeText(stream(false), HOSTILE);
  assert.deepEqual(written, [
    terminalText(HOSTILE),
    "\x1b[2m\\u001b[22mnot dim\n\x1b[22m",
    "plain\n",
    "piped\n",
    HOSTILE,
  ]);
  for (const control of ["\x1b", "\r", "\x9b"]) assert.ok(!written[0].includes(control));
});

test("colours are for terminals, unless the environment refuses or forces them", () => {
  const cases: readonly (readonly [boolean, Record<string, string>, boolean])[] = [
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [false, { FORCE_COLOR: "1" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
  ];
  for (const [isTTY, environment, wanted] of cases) {
    assert.equal(wantsColour({ isTTY }, environment), wanted, JSON.stringify([isTTY, environment]));
  }
});

test("a log has one line an event, whatever a client sends, wherever it goes", () => {
  const texts = [HOSTILE, "x\n2026-01-01T00:00:00.000Z info forged", "x\u0085y", "x\u2028y", "x\x9b2Jy", "\x1b"];
  for (const form of ["text", "json"] as const) {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), undefined, form);
    for (const text of texts) log("info", "request", { path: text, error: new Error(text), list: [text], [text]: 1 });
    for (const line of lines) assert.match(line, /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+\n$/u);
    if (form === "json") assert.deepEqual(lines.map((line) => JSON.parse(line).path), texts);
  }
});

test("nothing but the terminal, the outermost function and the log writes to standard streams", () => {
  const root = new URL("../../", import.meta.url);
  const found = ["lib", "cli", "servers", "fleet"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true })
      .map((name) => `${folder}/${String(name).replaceAll("\\", "/")}`)
      .filter((name) => name.endsWith(".ts"))
      .filter((name) => {
        const code = readFileSync(new URL(name, root), "utf8").replace(/^\s*(\*|\/\/).*$/gm, "");
        return /\b(stdout|stderr)\.write\(|\bconsole\.|Deno\.std/.test(code);
      })
  );
  assert.deepEqual(found.sort(), [
    "lib/platform/processes/log.ts",
    "lib/platform/terminal/line_reader.ts", // marks of pasted text
  ]);
});
