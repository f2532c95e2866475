/**
 * The prompts of embedding models.
 *
 * @module
 */
import { unsupportedParameter } from "../../../errors/svc_error.ts";
import { show } from "../../../errors/show.ts";

/** Kinds of texts, in the words of several interfaces. */
export const INPUT_TYPES = [
  "query",
  "document",
  "passage",
  "search_query",
  "search_document",
  "classification",
  "clustering",
] as const;

/** What a request says about prompts. */
export interface PromptChoice {
  readonly inputType: typeof INPUT_TYPES[number] | undefined;
  /** As in the configuration of sentence-transformers. */
  readonly promptName: string | undefined;
}

const queries = ["query", "search_query", "Retrieval-query", "retrieval.query", "s2p_query"];
const documents = ["document", "passage", "search_document", "Retrieval-document", "retrieval.passage"];

/** Names that models have for a kind of texts. */
const names: Readonly<Record<typeof INPUT_TYPES[number], readonly string[]>> = {
  query: queries,
  search_query: queries,
  document: documents,
  passage: documents,
  search_document: documents,
  classification: ["classification", "Classification"],
  clustering: ["clustering", "Clustering"],
};

/**
 * The name of the prompt that a request asks for: empty for none, undefined for the model's usual one. A model with a
 * prompt for queries alone takes documents as they are.
 *
 * @param prompts Names of the model's prompts.
 * @throws {SvcError} `unsupported_parameter` for what the model does not have.
 */
export function choosePrompt({ inputType, promptName }: PromptChoice, prompts: readonly string[]): string | undefined {
  const have = prompts.length === 0
    ? "omit it: the model has no prompts, include them in the texts"
    : `expected one of ${prompts.map(show).join(", ")} as prompt_name`;
  if (promptName !== undefined) {
    if (inputType !== undefined) {
      const message = 'Cannot embed the texts: "prompt_name" and "input_type" choose the prompt, expected one of them';
      throw unsupportedParameter(message, "prompt_name");
    }
    if (prompts.includes(promptName)) return promptName;
    throw unsupportedParameter(`Cannot embed the texts: "prompt_name" is ${show(promptName)}, ${have}`, "prompt_name");
  }
  if (inputType === undefined) return undefined;
  const found = names[inputType].find((name) => prompts.includes(name));
  if (found !== undefined) return found;
  if (names[inputType] === documents && queries.some((name) => prompts.includes(name))) return "";
  throw unsupportedParameter(`Cannot embed the texts: "input_type" is ${show(inputType)}, ${have}`, "input_type");
}
