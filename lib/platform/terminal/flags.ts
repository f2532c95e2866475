/**
 * Command line flags: one table defines values, types, help and errors.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { closestWord } from "../../errors/closest_word.ts";
import { messageWith, UsageError } from "../../errors/option_error.ts";

/** A flag. `value` names its value in the help; `default` is shown there. */
export type Flag =
  | { readonly kind: "boolean"; readonly help: string }
  | {
    readonly kind: "string";
    readonly help: string;
    readonly value: string;
    readonly default?: string;
    /** A single letter for the flag, used with one dash. */
    readonly short?: string;
  }
  | { readonly kind: "strings"; readonly help: string; readonly value: string }
  | {
    readonly kind: "integer";
    readonly help: string;
    readonly value: string;
    readonly min: number;
    readonly max: number;
    readonly default?: number;
    /** A single letter, as with strings. */
    readonly short?: string;
  }
  | {
    readonly kind: "number";
    readonly help: string;
    readonly value: string;
    readonly min: number;
    readonly max: number;
  }
  | { readonly kind: "choice"; readonly help: string; readonly choices: readonly string[]; readonly default?: string };

/** Flags by their name without the dashes. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** The only argument of a command that is asked for its flags; nobody can type it. */
export const DESCRIBE = "\0describe";

/** What a command throws that is asked for its flags, instead of running. */
export class FlagsDescribed extends Error {
  readonly flags: FlagTable;

  constructor(flags: FlagTable) {
    super("Cannot run the command: only its flags were asked for");
    this.flags = flags;
  }
}

type ValueOf<F extends Flag> = F extends { kind: "boolean" } ? boolean
  : F extends { kind: "strings" } ? readonly string[]
  : F extends { kind: "choice"; choices: readonly (infer C)[] } ? F extends { default: string } ? C : C | undefined
  : F extends { kind: "integer" } ? F extends { default: number } ? number : number | undefined
  : F extends { kind: "number" } ? number | undefined
  : F extends { default: string } ? string
  : string | undefined;

/** The values of a table: booleans are false, lists empty and everything else undefined unless given or defaulted. */
export type FlagValues<T extends FlagTable> = { readonly [K in keyof T]: ValueOf<T[K]> };

export { UsageError };

/** Flags that are not called as the options that they set. */
const OTHER_FLAGS: Readonly<Record<string, string>> = {
  acceptLicense: "accept-model-license",
  maxWaitSeconds: "max-wait",
  packedKv: "kv-bits",
};

/** The message of an error as a command line prints it: with the flags of the options that it names. */
export function commandLineMessage(error: Error): string {
  return messageWith(error, (option) => {
    const flag = OTHER_FLAGS[option] ?? option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${flag}`;
  });
}

/**
 * Parses the arguments of a command that takes flags only.
 *
 * @param command The command, such as `svc world serve`, for error messages.
 * @throws {UsageError} for an unknown flag, a missing or invalid value, and a word that is not a flag.
 */
export function readFlags<const T extends FlagTable>(
  command: string,
  args: readonly string[],
  table: T,
): FlagValues<T> {
  const { flags, words: [word] } = readFlagsAndWords(command, args, table);
  if (word === undefined) return flags;
  throw new UsageError(`Cannot run ${command}: the argument "${word}" is unexpected, expected flags only`);
}

/**
 * Parses the arguments of a command that takes words between its flags.
 *
 * @throws {UsageError} for an unknown flag, and a missing or invalid value.
 * @throws {FlagsDescribed} when the only argument is {@linkcode DESCRIBE}.
 */
export function readFlagsAndWords<const T extends FlagTable>(
  command: string,
  args: readonly string[],
  table: T,
): { readonly flags: FlagValues<T>; readonly words: readonly string[] } {
  if (args.length === 1 && args[0] === DESCRIBE) throw new FlagsDescribed(table);
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(table)) {
    values[name] = flag.kind === "boolean"
      ? false
      : flag.kind === "strings"
      ? []
      : "default" in flag
      ? flag.default
      : undefined;
  }
  const words: string[] = [];
  const options = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => {
      const type: "boolean" | "string" = flag.kind === "boolean" ? "boolean" : "string";
      return [name, { type, ...("short" in flag && flag.short && { short: flag.short }) }];
    }),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      words.push(token.value);
      continue;
    }
    const flag = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (!flag) throw unknownFlag(command, token.rawName, Object.keys(table));
    const read = readValue(command, token.rawName, flag, token.value, token.inlineValue === true);
    values[token.name] = flag.kind === "strings" ? [...values[token.name] as string[], read] : read;
  }
  return { flags: values as FlagValues<T>, words };
}

/** Maximum column at which explanations start. */
const HELP_COLUMN = 38;

/** The help lines of a table. */
export function flagsHelp(table: FlagTable): string {
  const rows = Object.entries(table).map(([name, flag]) => {
    const value = flag.kind === "boolean"
      ? ""
      : flag.kind === "choice"
      ? ` ${flag.choices.join("|")}`
      : ` ${flag.value}`;
    const standard = "default" in flag && flag.default !== undefined ? ` (default ${flag.default})` : "";
    const short = "short" in flag && flag.short ? `-${flag.short}, ` : "";
    return [`  ${short}--${name}${value}`, `${flag.help}${standard}`] as const;
  });
  const width = Math.min(HELP_COLUMN, Math.max(...rows.map(([left]) => left.length)) + 2);
  // A flag too long for its column gets its own line.
  const pad = (left: string) => left.length < width ? left.padEnd(width) : `${left}\n${" ".repeat(width)}`;
  return rows.map(([left, right]) => pad(left) + right).join("\n");
}

function readValue(command: string, name: string, flag: Flag, text: string | undefined, inline: boolean): unknown {
  const wrong = (problem: string, expected: string) =>
    new UsageError(`Cannot run ${command}: ${name} ${problem}, expected ${expected}`);
  if (flag.kind === "boolean") {
    if (text !== undefined) throw wrong(`has the value "${text}"`, "none");
    return true;
  }
  const expected = flag.kind === "choice"
    ? `one of ${flag.choices.join(", ")}`
    : flag.kind === "integer"
    ? `an integer from ${flag.min} to ${flag.max}`
    : flag.kind === "number"
    ? `a number from ${flag.min} to ${flag.max}`
    : `${name} ${flag.value}`;
  // What looks like a flag is one: "--host --port 1" lacks the host. A negative number does not.
  if (typeof text !== "string" || (!inline && /^-(?!\.?\d|inf|nan)/i.test(text))) throw wrong("has no value", expected);
  if (flag.kind === "choice" && !flag.choices.includes(text)) throw wrong(`is "${text}"`, expected);
  if (flag.kind !== "integer" && flag.kind !== "number") return text;
  const form = flag.kind === "integer" ? /^-?\d+$/ : /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
  const number = form.test(text) ? Number(text) : NaN;
  if (!(number >= flag.min && number <= flag.max)) throw wrong(`is "${text}"`, expected);
  return number;
}

function unknownFlag(command: string, name: string, known: readonly string[]): UsageError {
  const meant = closestWord(name.replace(/^-+/, ""), known);
  const remedy = meant ? `did you mean --${meant}?` : `see ${command} --help`;
  return new UsageError(`Cannot run ${command}: the flag ${name} is unknown, ${remedy}`);
}
