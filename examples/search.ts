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

await using models = await openModels();
const input = [process.argv[2] ?? "Where does the kitten nap?", ...sentences];
const { data } = await models.embed({ model: "all-minilm-l6-v2", input });
const [question, ...vectors] = data.map(({ embedding }) => embedding as number[]);
const found = vectors.map((vector, i) => ({
  sentence: sentences[i],
  score: vector.reduce((sum, value, at) => sum + value * question[at], 0),
}));
for (const { sentence, score } of found.sort((a, b) => b.score - a.score)) console.log(score.toFixed(2), sentence);
