/**
 * Whether a model can draft for another.
 *
 * @module
 */
import { modelUnavailable, type SvcError } from "../../errors/svc_error.ts";
import { numberField, textField, textsField } from "./gguf_fields.ts";
import type { GgufMetadata } from "./gguf_metadata.ts";

/** Published sizes of one family are padded to different numbers of tokens; llama.cpp allows the same difference. */
const MAX_PADDING = 128;

/** Marks whose tokens have to be the same. */
const MARKS = ["bos", "eos", "eot"] as const;

/**
 * Checks that two models have the same tokens, but for padding at the end.
 *
 * @throws {SvcError} `model_unavailable` with the first difference.
 */
export function checkDraftVocabulary(model: GgufMetadata, draft: GgufMetadata): void {
  const problem = difference(model, draft);
  if (problem === undefined) return;
  throw cannotDraft(`${problem}, expected the vocabulary of the model`);
}

/** The refusal of a draft model. */
export function cannotDraft(problem: string): SvcError {
  const remedy = "choose a draft of the same family, or none with svc model runtime set ID --clear-draft-model";
  return modelUnavailable("model_unavailable", `Cannot use the draft model: ${problem}; ${remedy}`);
}

function difference(model: GgufMetadata, draft: GgufMetadata): string | undefined {
  const kinds = [model, draft].map((one) => textField(one, "tokenizer.ggml.model"));
  if (kinds[0] !== kinds[1]) return `its tokenizer is ${kinds[1]} and the model's ${kinds[0]}`;
  const [own, its] = [model, draft].map((one) => textsField(one, "tokenizer.ggml.tokens") ?? []);
  if (Math.abs(own.length - its.length) > MAX_PADDING) {
    return `it has ${its.length} tokens and the model ${own.length}`;
  }
  const common = Math.min(own.length, its.length);
  for (let id = 0; id < common; id++) {
    if (own[id] !== its[id]) return `its token ${id} is ${shown(its[id])} and the model's ${shown(own[id])}`;
  }
  for (const mark of MARKS) {
    const [ours, theirs] = [model, draft].map((one) => numberField(one, `tokenizer.ggml.${mark}_token_id`));
    if (ours !== theirs) return `its ${mark} token is ${theirs ?? "missing"} and the model's ${ours ?? "missing"}`;
  }
  return undefined;
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
