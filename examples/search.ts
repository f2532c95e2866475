// deno-lint-ignore-file no-console
// Finds the sentence that is meant: deno run -A examples/search.ts "QUESTION", or npx tsx examples/search.ts "QUESTION"
// It needs the model all-minilm-l6-v2: npm run models.
import process from "node:process";
import { openModels } from "../mod.ts";

const sentences = [
  "The cat sleeps on the warm windowsill.",
  "Interest rates rose for the third time this year.",
  "Simmer the tomatoes until the sauce is thick.",
];

/** Asks a running server, which holds the models' memory; without one, the models run in this process. */
async function embed(input: readonly string[]): Promise<number[][]> {
  const body = { model: "all-minilm-l6-v2", input };
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const served = await fetch("http://127.0.0.1:8080/v1/embeddings", request).catch(() => undefined);
  if (served?.ok) return vectorsOf(await served.json());
  await using models = await openModels();
  return vectorsOf(await models.embed(body));
}

function vectorsOf({ data }: { readonly data: readonly { readonly embedding: unknown }[] }): number[][] {
  return data.map(({ embedding }) => embedding as number[]);
}

const [question, ...vectors] = await embed([process.argv[2] ?? "Where does the kitten nap?", ...sentences]);
const found = vectors.map((vector, i) => ({
  sentence: sentences[i],
  score: vector.reduce((sum, value, at) => sum + value * question[at], 0),
}));
for (const { sentence, score } of found.sort((a, b) => b.score - a.score)) console.log(score.toFixed(2), sentence);
