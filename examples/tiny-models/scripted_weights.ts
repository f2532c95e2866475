/**
 * A transformer that follows a script.
 *
 * @module
 */
import { END_TOKEN, type ScriptedVocabulary, type Token } from "./scripted_vocabulary.ts";
import { randomWeights, tensorRandom, type TransformerShape, type TransformerWeights } from "./transformer_weights.ts";

/** Logit of the token that the script wants next; the others spread around 0 by about 2. */
const WANTED = 26;

/** Cosine of an embedding with the first axis, where tokens of the script have little and the others much. */
const COMMON = { scripted: 0.3, free: 0.9 };

/** How much of an embedding is the token's own besides the direction of its next. */
const OWN = 0.35;

/** How much each layer adds: enough to show in logits, not enough to leave the script. */
const MIXING = 0.25;

/**
 * The weights of a scripted model: each token has a random direction, which is its row of the head, and each embedding
 * points the way of the token that comes next. Attention and feed-forward parts are random and small. Tokens of no
 * script share an axis by which the head prefers what ends texts, strings and lists: so constrained answers come to an
 * end.
 */
export function scriptedWeights(
  vocabulary: ScriptedVocabulary,
  sizes: Omit<TransformerShape, "vocabulary">,
  seed: number,
): TransformerWeights {
  const shape = { ...sizes, vocabulary: vocabulary.tokens.length };
  const random = randomWeights(shape, seed, MIXING);
  const tensor = (name: string): Float32Array => {
    if (name === "model.embed_tokens.weight") return embedding(vocabulary, shape.hidden, seed);
    if (name === "lm_head.weight") return head(vocabulary, shape.hidden, seed);
    return random.tensor(name);
  };
  return { shape, tensor };
}

/** Unit vectors of all tokens, the first element of each 0. */
function directions(count: number, hidden: number, seed: number, name: string): Float32Array {
  const random = tensorRandom(seed, name);
  const rows = new Float32Array(count * hidden);
  for (let row = 0; row < rows.length; row += hidden) {
    for (let i = 1; i < hidden; i++) rows[row + i] = random();
    scale(rows.subarray(row, row + hidden), 1);
  }
  return rows;
}

function embedding({ tokens, next }: ScriptedVocabulary, hidden: number, seed: number): Float32Array {
  const targets = directions(tokens.length, hidden, seed, "targets");
  const rows = directions(tokens.length, hidden, seed, "own");
  const length = Math.sqrt(hidden);
  tokens.forEach((_, id) => {
    const row = rows.subarray(id * hidden, (id + 1) * hidden);
    const wanted = next.get(id);
    const common = wanted === undefined ? COMMON.free : COMMON.scripted;
    if (wanted !== undefined) {
      for (let i = 0; i < hidden; i++) row[i] = OWN * row[i] + targets[wanted * hidden + i];
    }
    scale(row, Math.sqrt(1 - common * common) * length);
    row[0] = common * length;
  });
  return rows;
}

function head({ tokens }: ScriptedVocabulary, hidden: number, seed: number): Float32Array {
  const rows = directions(tokens.length, hidden, seed, "targets");
  const length = Math.sqrt(hidden);
  tokens.forEach((token, id) => {
    const row = rows.subarray(id * hidden, (id + 1) * hidden);
    scale(row, WANTED / length);
    row[0] = preference(token) / (length * COMMON.free);
  });
  return rows;
}

/** Logit of a token behind one that no script holds. */
function preference({ text, kind }: Token): number {
  if (text === END_TOKEN) return 14;
  if (kind === "control" || kind === "mark" || kind === "unused") return -30;
  if (text === '"') return 13;
  if (text === "}" || text === "]") return 12;
  if (kind !== "byte") return -6;
  return /^[0-9a-z]$/.test(text) ? 0 : -6;
}

function scale(row: Float32Array, length: number): void {
  const factor = length / Math.hypot(...row);
  for (let i = 0; i < row.length; i++) row[i] *= factor;
}
