import assert from "node:assert/strict";
import { test } from "node:test";
import { choosePrompt, type PromptChoice } from "../../../../lib/api/service/text/embedding_prompt.ts";

const gemma = ["query", "document", "Retrieval-query", "Clustering"];

// @row model-api > Embeddings request > `input_type`: the prompt of the model for queries or documents
// @row model-api > Embeddings request > `prompt_name`: a prompt of the model's configuration
test("choosePrompt() finds the prompt of a model by the words of several interfaces", () => {
  const cases: [Partial<PromptChoice>, readonly string[], string | undefined][] = [
    [{}, gemma, undefined],
    [{}, [], undefined],
    [{ inputType: "query" }, gemma, "query"],
    [{ inputType: "search_query" }, ["Retrieval-query"], "Retrieval-query"],
    [{ inputType: "passage" }, gemma, "document"],
    [{ inputType: "search_document" }, ["passage", "query"], "passage"],
    [{ inputType: "document" }, ["query"], ""],
    [{ inputType: "clustering" }, gemma, "Clustering"],
    [{ promptName: "Retrieval-query" }, gemma, "Retrieval-query"],
  ];
  for (const [choice, prompts, expected] of cases) {
    const found = choosePrompt({ inputType: undefined, promptName: undefined, ...choice }, prompts);
    assert.equal(found, expected, JSON.stringify(choice));
  }
});

test("choosePrompt() refuses what a model does not have, and says what it has", () => {
  const cases: [Partial<PromptChoice>, readonly string[], RegExp][] = [
    [{ inputType: "document" }, [], /"input_type" is "document", omit it: the model has no prompts/],
    [{ inputType: "classification" }, ["query"], /expected one of "query" as prompt_name$/],
    [{ promptName: "toString" }, gemma, /"prompt_name" is "toString", expected one of "query", "document"/],
    [{ promptName: "query", inputType: "query" }, gemma, /expected one of them$/],
  ];
  for (const [choice, prompts, message] of cases) {
    const choose = () => choosePrompt({ inputType: undefined, promptName: undefined, ...choice }, prompts);
    assert.throws(choose, { code: "unsupported_parameter", message });
  }
});
