/**
 * Walks as text: what a user types and what the SDK takes, one word per block.
 *
 * @module
 */
import { invalidField, type SvcError } from "../../errors/svc_error.ts";
import { motionKeys, OPPOSITE_KEYS } from "./motion_table.ts";

/** The longest rollout that a world server accepts: 252 latents, three for each block. */
export const MAX_WALK_BLOCKS = 84;

/** A walk in the form of a rollout request: one entry per three-latent block. */
export interface WalkActions {
  /** Key combinations such as `w` or `wl`; a space stands for holding still. */
  readonly actions: readonly string[];
  /** Relative durations that put every change of action exactly on a block boundary. */
  readonly weights: readonly number[];
  /** Latent frames of the whole walk: three per block. */
  readonly latentFrames: number;
}

const KEYS: readonly string[] = motionKeys(true);
const HOLD: ReadonlySet<string> = new Set([".", "_", "hold"]);

/**
 * Reads the words of a walk: each is one block, a combination of the keys of moves such as `w` or `wl`, or
 * `.`, `_` or `hold` for standing still; `w3` and `w*3` mean three blocks of `w`.
 *
 * The weights are the frames that each block shows: a rollout of n latents is planned over 4n - 3 frames, of which the
 * first block covers 9 and every later one 12, in a fresh chain and in a continued one alike.
 *
 * @throws {SvcError} `invalid_actions` for an unknown action, and for fewer than 1 or more than 84 blocks
 */
export function parseWalkActions(words: readonly string[]): WalkActions {
  const actions = words.flatMap(parseWord);
  if (actions.length === 0) {
    throw invalidField("actions", "Cannot plan the walk: no action given, expected at least one, such as w");
  }
  if (actions.length > MAX_WALK_BLOCKS) {
    throw invalidField(
      "actions",
      `Cannot plan the walk: it has ${actions.length} blocks, expected at most ${MAX_WALK_BLOCKS}; ` +
        `split it into several walks`,
    );
  }
  return { actions, weights: actions.map((_, block) => block === 0 ? 9 : 12), latentFrames: actions.length * 3 };
}

function parseWord(word: string): string[] {
  const match = /^(\D*?)(?:\*?(\d+))?$/.exec(word.trim().toLowerCase());
  const keys = match?.[1] ?? "";
  const count = Number(match?.[2] ?? 1);
  if (match === null || keys === "") throw unreadable(word, "it has no key");
  if (count < 1 || count > MAX_WALK_BLOCKS) {
    throw unreadable(word, `${count} blocks are out of range`, `1 to ${MAX_WALK_BLOCKS} a walk`);
  }
  const action = HOLD.has(keys) ? " " : keys;
  if (action !== " ") checkKeys(word, keys);
  return Array.from({ length: count }, () => action);
}

function checkKeys(word: string, keys: string): void {
  for (const [index, key] of [...keys].entries()) {
    if (!KEYS.includes(key)) throw unreadable(word, `${JSON.stringify(key)} is not a key`);
    if (keys.indexOf(key) < index) throw unreadable(word, `the key ${key} occurs twice; one word is one block`);
  }
  for (const [one, other] of OPPOSITE_KEYS) {
    if (keys.includes(one) && keys.includes(other)) throw unreadable(word, `${one} and ${other} are opposite`);
  }
}

const ACTION = `a combination of ${KEYS.join(" ")} such as w, wl or w*3, or a dot for standing still`;

function unreadable(word: string, reason: string, expected = ACTION): SvcError {
  return invalidField("actions", `Cannot read the action ${JSON.stringify(word)}: ${reason}, expected ${expected}`);
}
