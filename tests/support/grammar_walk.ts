import { GrammarConstrainer } from "../../lib/engines/constrained_decoding/grammar_constrainer.ts";
import type { OutputConstraint } from "../../lib/engines/contract/language_model.ts";
import { loadXGrammar } from "../../lib/app/models/engine/load_xgrammar.ts";
import { uniformAt } from "../../lib/protocol/mod.ts";

const pieces = [
  '{"',
  '": ',
  '", "',
  '"}',
  "true",
  "false",
  '": "',
  "abc",
  "é",
  "😀",
  "[[",
  "]]",
  "}}",
  "\\u00",
  "12",
  "0.5",
  "\n  ",
];
const tokens = [
  ...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
  ...pieces.map((piece) => new TextEncoder().encode(piece)),
];
const END = tokens.length;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Constrains tokens of bytes and some pieces; one id more than tokens stands for what models are padded with. */
export const walkConstrainer = new GrammarConstrainer({
  size: tokens.length + 2,
  endTokens: [END],
  bytesOf: (id) => tokens[id] ?? new Uint8Array(),
  isSpecial: (id) => id === END,
}, loadXGrammar);

function isAllowed(mask: Int32Array, id: number): boolean {
  return ((mask[id >> 5] >>> (id & 31)) & 1) === 1;
}

/** What a model says that chooses at random among what is allowed; undefined when it comes to no end. */
export async function walkGrammar(constraint: OutputConstraint, seed: number, max = 300): Promise<string | undefined> {
  const match = await walkConstrainer.constrain(constraint);
  const bytes: number[] = [];
  try {
    for (let step = 0; step < max; step++) {
      const mask = await match.mask();
      const allowed = Array.from({ length: END + 3 }, (_, id) => id).filter((id) => isAllowed(mask, id));
      if (allowed.length === 0) {
        throw new Error(`nothing may follow ${JSON.stringify(utf8.decode(new Uint8Array(bytes)))}`);
      }
      // Letters would never end: after a while what closes something is preferred.
      const closing = allowed.filter((id) => id === END || '"}]'.includes(String.fromCharCode(id)));
      const from = step > 40 && closing.length > 0 && uniformAt(seed, 2 * step) < 0.7 ? closing : allowed;
      const id = from[Math.floor(uniformAt(seed, 2 * step + 1) * from.length)];
      if (id === END) return utf8.decode(new Uint8Array(bytes));
      if (match.accept(id)) bytes.push(...tokens[id]);
    }
    return undefined;
  } finally {
    match.close();
  }
}

/** Whether a text is one that a constraint lets pass, from its first to its last letter. */
export async function passes(constraint: OutputConstraint, text: string): Promise<boolean> {
  const match = await walkConstrainer.constrain(constraint);
  try {
    for (const byte of new TextEncoder().encode(text)) if (!match.accept(byte)) return false;
    return isAllowed(await match.mask(), END);
  } finally {
    match.close();
  }
}

/** The beginning of a text that a constraint lets pass. */
export async function passedBeginning(constraint: OutputConstraint, text: string): Promise<string> {
  const match = await walkConstrainer.constrain(constraint);
  try {
    const bytes = new TextEncoder().encode(text);
    const at = bytes.findIndex((byte) => !match.accept(byte));
    return new TextDecoder().decode(at < 0 ? bytes : bytes.subarray(0, at));
  } finally {
    match.close();
  }
}
