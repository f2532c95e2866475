/**
 * An embedding model beside ONNX Runtime with the published tokenizer, and the published weights in sentence-transformers.
 *
 * @module
 */
import { join } from "node:path";
import { passages, QUESTIONS } from "../../app/real_models/documents.ts";
import { openOracle } from "./oracle.ts";
import { brief, type Proof, speedOf, timed } from "./proof_row.ts";

const ID = "all-minilm-l6-v2";

interface Embedded {
  readonly tokens: number;
  readonly vector: readonly number[];
  readonly ms: number;
}

/** Texts that tokenizers differ in. */
const HARD = ["naïve café, ÅNGSTRÖM", "don't re-open CO2-levels: 3.14%", "東京 und Zürich", "a\u0301 \u200b e\u00ad f"];
const EVERY = 12;

/** Adds the rows of the vectors. Each text is sent alone: int8 takes its scale from all that is in a call. */
export async function proveEmbeddings({ models, installed, python, add }: Proof): Promise<void> {
  const found = installed.get(ID);
  if (found === undefined) return;
  const network = found.names.find((name) => name.endsWith(".onnx"))!;
  const same = await openOracle(python, "minilm", join(found.folder, network));
  const wide = await openOracle(python, "sentence_transformers");
  const texts = [
    ...QUESTIONS.map(([question]) => question),
    ...passages().filter((_, i) => i % EVERY === 0).map(({ text }) => text),
    ...HARD,
  ];
  const rounds: { ours: number; theirs: number }[] = [];
  let [most, tokens, least] = [0, 0, 1];
  for (const input of texts) {
    const [{ data: [{ embedding }], usage }, took] = await timed(() => models.embed({ model: ID, input }));
    const vector = embedding as readonly number[];
    const theirs = await same.ask<Embedded>({ text: input });
    rounds.push({ ours: took, theirs: theirs.ms });
    if (usage.prompt_tokens === theirs.tokens) tokens += 1;
    most = Math.max(most, ...vector.map((value, i) => Math.abs(value - theirs.vector[i])));
    const published = await wide.ask<Embedded>({ text: input });
    least = Math.min(least, vector.reduce((sum, value, i) => sum + value * published.vector[i], 0));
  }
  await same.stop();
  await wide.stop();
  add({
    model: "all-MiniLM-L6-v2, int8",
    beside: "ONNX Runtime, the published tokenizer",
    found: `${texts.length} vectors at most ${brief(most)} apart; ${tokens} of ${texts.length} texts of as many tokens`,
    bound: "1e-5, all",
    ok: most <= 1e-5 && tokens === texts.length,
    speed: speedOf(rounds),
  });
  add({
    model: "all-MiniLM-L6-v2, int8",
    beside: "sentence-transformers, the published F32 weights",
    found: `cosine of the same ${texts.length} texts at least ${least.toFixed(3)}`,
    bound: "0.9",
    ok: least >= 0.9,
  });
}
