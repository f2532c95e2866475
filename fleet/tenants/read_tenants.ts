/**
 * The file of tenants.
 *
 * @module
 */
import * as v from "valibot";
import { parseSource, sourceRanges } from "../../lib/json/json_source.ts";
import { locate, pointerToken } from "../../lib/json/json_pointer.ts";
import type { Span } from "../../lib/json/json_tokens.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { FLEET_NAME } from "../../servers/flags/fleet_flags.ts";
import type { Tenant } from "./tenant.ts";

type Path = readonly (string | number)[];

/** Tenants of a file, and keys of a tenant. */
const MOST = { tenants: 10_000, keys: 8 } as const;

const quotaField = (most: number): v.GenericSchema<unknown, number | undefined> => {
  const expected = `expected a whole number from 1 to ${most}`;
  return v.optional(
    v.pipe(v.number(expected), v.integer(expected), v.minValue(1, expected), v.maxValue(most, expected)),
  );
};
const hash = "expected sha256: and 64 lower-case hexadecimal digits, as sha256sum prints them";
const name = "expected 1 to 63 lower-case letters, digits and inner hyphens";
const keys = `expected an array of 1 to ${MOST.keys} hashes of keys`;
const tenantSchema = v.strictObject({
  name: v.pipe(v.string(name), v.regex(FLEET_NAME, name)),
  keys: v.pipe(
    v.array(v.pipe(v.string(hash), v.regex(/^sha256:[0-9a-f]{64}$/, hash)), keys),
    v.minLength(1, keys),
    v.maxLength(MOST.keys, keys),
  ),
  worlds: quotaField(1_000_000),
  waiting: quotaField(1_000_000),
  moves_per_minute: quotaField(1_000_000),
  rollouts: quotaField(1_000_000),
}, "expected an object with name, keys and quotas");
const FIELDS = Object.keys(tenantSchema.entries).join(", ");
const list = `expected an array of 1 to ${MOST.tenants} tenants`;
const fileSchema = v.strictObject({
  tenants: v.pipe(v.array(tenantSchema, list), v.minLength(1, list), v.maxLength(MOST.tenants, list)),
}, "expected an object with tenants");

/**
 * Reads the text of a file of tenants.
 *
 * @param path The file, for messages.
 * @throws {UsageError} with line and field of what is wrong; never with a key.
 */
export function readTenants(text: Uint8Array, path: string): Tenant[] {
  const parsed = parseSource(text);
  if (parsed.problem) {
    const { start, end, message } = parsed.problem;
    throw wrong(path, lineOf(parsed.text, { start, end }), `it is not JSON there${secretless(message)}`);
  }
  const refuse = (at: Path, reason: string, shown = at): UsageError => {
    const [{ value, name = value }] = locate(parsed.text, [at.map(pointerToken).join("")]);
    return wrong(path, lineOf(parsed.text, name), `${fieldOf(shown)}: ${reason}`);
  };
  const read = v.safeParse(fileSchema, parsed.value, { abortPipeEarly: true });
  if (!read.success) {
    const [issue] = read.issues;
    const at = issue.path?.map(({ key }) => key as string | number) ?? [];
    const isUnknown = issue.type === "strict_object" && issue.expected === "never";
    const isMissing = issue.path?.at(-1) !== undefined && issue.input === undefined && !isUnknown;
    // Its name may be a key that was pasted there: the line is enough.
    if (isUnknown) throw refuse(at, `it has a field that there is not, expected ${FIELDS}`, at.slice(0, -1));
    throw refuse(isMissing ? at.slice(0, -1) : at, isMissing ? `${at.at(-1)} is missing` : issue.message);
  }
  const names = new Set<string>();
  const seen = new Set<string>();
  return read.output.tenants.map(({ name, keys, ...quota }, i) => {
    if (names.has(name)) throw refuse(["tenants", i, "name"], "another tenant has this name");
    names.add(name);
    keys.forEach((key, k) => {
      if (seen.has(key)) throw refuse(["tenants", i, "keys", k], "this key is in the file already");
      seen.add(key);
    });
    return { name, keys: keys.map((key) => bytesOf(key.slice("sha256:".length))), quota };
  });
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g)!, (pair) => parseInt(pair, 16));
}

function fieldOf(at: Path): string {
  if (at.length === 0) return "the file";
  return at.map((part, i) => typeof part === "number" ? `[${part}]` : i === 0 ? part : `.${part}`).join("").slice(
    0,
    200,
  );
}

function lineOf(text: string, span: Span): number {
  return sourceRanges(text, [span])(span).line;
}

/** What the parser expected; what it found may be a key that was pasted there. */
function secretless(message: string): string {
  const expected = /expected [^;]*$/.exec(message)?.[0];
  return expected === undefined ? "" : `, ${expected}`;
}

function wrong(path: string, line: number, reason: string): UsageError {
  return new UsageError(`Cannot use the tenants of ${path}: line ${line}, ${reason}`);
}
