/**
 * Lint of single numbers, strings and names, in values and in source text.
 *
 * @module
 */
import { pointerToken } from "../../json/json_pointer.ts";
import { QUOTE, type Span, stringText } from "../../json/json_tokens.ts";
import type { LintReport } from "./lint_report.ts";
import { type JsonVisitor, scanJson } from "../../json/scan_json.ts";
import { quote } from "../../json/json_text.ts";

/** Lint of the numbers and strings of a value. Deep values do not overflow the stack. */
export function lintScalars(value: unknown, report: LintReport): void {
  const seen = new Set<object>();
  const open: Place[] = [{ parent: undefined, key: "", value }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value } = place;
    if (typeof value === "number") lintNumber(value, String(value), () => pointerOf(place), report);
    else if (typeof value === "string") lintString(value, () => pointerOf(place), report);
    else if (typeof value === "object" && value !== null && !seen.has(value)) {
      seen.add(value);
      const keys = Object.keys(value);
      for (let i = keys.length - 1; i >= 0; i--) {
        open.push({ parent: place, key: keys[i], value: (value as Readonly<Record<string, unknown>>)[keys[i]] });
      }
    }
  }
}

interface Place {
  readonly parent: Place | undefined;
  readonly key: string;
  readonly value: unknown;
}

function pointerOf(place: Place): string {
  const tokens: string[] = [];
  for (let at = place; at.parent; at = at.parent) tokens.push(pointerToken(at.key));
  return tokens.reverse().join("");
}

/** Lint of the numbers, strings and names of a JSON text. */
export function lintSource(text: string, report: LintReport): void {
  scanJson(text, new SourceLint(text, report));
}

class SourceLint implements JsonVisitor {
  readonly #text: string;
  readonly #report: LintReport;
  readonly #open: { readonly names: Map<string, Span> | undefined; key: string | number }[] = [];

  constructor(text: string, report: LintReport) {
    this.#text = text;
    this.#report = report;
  }

  name(start: number, end: number): void {
    const object = this.#open[this.#open.length - 1];
    const names = object.names as Map<string, Span>;
    const name = stringText(this.#text, start, end);
    object.key = name;
    const span = { start, end };
    const other = names.get(name);
    lintString(name, () => this.#pointer(), this.#report, span);
    if (other === undefined) names.set(name, span);
    else if (this.#report.list.room <= 0) this.#report.add("duplicate_member", "", "");
    else {
      const message = `${quote(name)} is given twice in the same object, expected once`;
      const pointer = this.#pointer();
      this.#report.add("duplicate_member", pointer, message, { property: name, otherPointer: pointer }, {
        span,
        other,
      });
    }
  }

  scalar(start: number, end: number): void {
    this.#next();
    const span = { start, end };
    if (this.#text.charCodeAt(start) === QUOTE) {
      lintString(stringText(this.#text, start, end), () => this.#pointer(), this.#report, span);
    } else if (end - start >= UNSAFE_DIGITS) {
      const written = this.#text.slice(start, end);
      lintNumber(Number(written), written, () => this.#pointer(), this.#report, span);
    }
  }

  open(_start: number, isObject: boolean): void {
    this.#next();
    this.#open.push(isObject ? { names: new Map(), key: "" } : { names: undefined, key: -1 });
  }

  close(): void {
    this.#open.pop();
  }

  #next(): void {
    const parent = this.#open[this.#open.length - 1];
    if (parent !== undefined && typeof parent.key === "number") parent.key++;
  }

  #pointer(): string {
    return this.#open.map(({ key }) => pointerToken(key)).join("");
  }
}

/** Only numbers written as integers are reported: 1e300 is not expected to be exact. */
function lintNumber(value: number, written: string, pointer: () => string, report: LintReport, span?: Span): void {
  if (!/^-?\d+(\.0*)?$/.test(written) || !Number.isFinite(value) || Number.isSafeInteger(value)) return;
  const shown = written.length > 40 ? `${written.slice(0, 40)}...` : written;
  const message = `${shown} is read as ${value}, expected an integer from -(2^53 - 1) to 2^53 - 1`;
  report.add("unsafe_integer", pointer(), message, { actual: shown }, span && { span });
}

function lintString(value: string, pointer: () => string, report: LintReport, span?: Span): void {
  if (!LONE_SURROGATE.test(value)) return;
  const message = `${quote(value)} has a lone surrogate, expected whole characters`;
  report.add("lone_surrogate", pointer(), message, { actual: quote(value) }, span && { span });
}

/** Integers with fewer digits are safe. */
const UNSAFE_DIGITS = 16;
/** With the u flag a whole pair is one character, which the class does not match. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;
