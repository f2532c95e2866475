/**
 * What the requests of both kinds of move share: kinds, fields, bounds and seeds.
 *
 * @module
 */
import * as v from "valibot";
import { isPathText, MAX_PATH_BYTES, PATH_EXPECTED } from "../../../json/path_text.ts";

/** Kinds of move that create an edge of the navigation graph. */
export type MoveKind = "transition" | "rollout";

/** The fields of both kinds of move. */
export interface MoveRequest {
  readonly seed: bigint;
  readonly sourceImage: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fps: number | undefined;
  readonly output: string | undefined;
  /** Frames that a transition asks for. */
  readonly frames?: number;
}

/** A kind of move, and its defaults. */
export interface MoveDefaults {
  readonly kind: MoveKind;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** Largest frame size that a request may ask for, in pixels. */
export const MAX_GEOMETRY = { width: 1280, height: 704 } as const;

/** Highest frame rate that a request may ask for. */
export const MAX_FPS = 240;

const seed = "expected an integer from 0 to 2^53-1, or a string of decimal digits up to 2^64-1";

/** The path of a file; the path policy is checked elsewhere. */
export const pathField: v.GenericSchema<string> = v.pipe(
  v.string(PATH_EXPECTED),
  v.check(isPathText, PATH_EXPECTED),
  v.metadata({ minLength: 1, maxLength: MAX_PATH_BYTES }),
);

/** A width or height in pixels. */
export function sideField(limit: number, unit = 32): v.GenericSchema<number> {
  const message = `expected a multiple of ${unit} from ${unit} to ${limit}`;
  return v.pipe(
    v.number(message),
    v.check((n) => n > 0 && n % unit === 0 && n <= limit, message),
    v.metadata({ multipleOf: unit, minimum: unit, maximum: limit }),
  );
}

/** A whole number from `min` to `max`. */
export function integerField(min: number, max: number): v.GenericSchema<number> {
  const message = `expected an integer from ${min} to ${max}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

/** A finite number above 0. */
export const positiveField: v.GenericSchema<number> = v.pipe(
  v.number("expected a number"),
  v.check((n) => Number.isFinite(n) && n > 0, "expected a finite number above 0"),
  v.metadata({ exclusiveMinimum: 0 }),
);

/** An unsigned 64-bit number: JSON numbers reach only 2^53 - 1. */
export const seedField: v.GenericSchema<number | string> = v.pipe(
  v.union([v.number(), v.string()], seed),
  v.check(isSeed, seed),
  v.metadata({
    anyOf: [
      { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: "string", pattern: "^[0-9]{1,20}$" },
    ],
  }),
);

function isSeed(value: number | string): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0;
  return /^\d{1,20}$/.test(value) && BigInt(value) < 1n << 64n;
}

const U64 = 1n << 64n;

/** The seed of a block or clip: the request's plus the generation depth of the chain, modulo 2^64. */
export function effectiveSeed(seed: bigint, depth: number): bigint {
  return (seed + BigInt(depth)) % U64;
}

/** A seed as sent over the wire: JSON numbers are exact only up to 2^53 - 1. */
export function seedRecord(seed: bigint): number | string {
  return seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : String(seed);
}
