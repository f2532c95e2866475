/**
 * Fields that have no effect here: those of other servers that would change the output are refused, never dropped; all
 * others are accepted and reported to the client.
 *
 * @module
 */
import { otherMembers } from "../../errors/declared_members.ts";
import { type FieldRefusal, findRefusedField } from "../../errors/field_refusal.ts";
import { unsupportedParameter } from "../../errors/svc_error.ts";
import { chatFields } from "./chat_fields.ts";

const leaveOut = "expected no such field";
const temperature = "use temperature, top_p, top_k or min_p instead";
const format = "use response_format instead";
const reasoning = "use reasoning_effort or enable_thinking instead";

const refusals: readonly FieldRefusal[] = [
  { field: "n", neutral: [1], remedy: "expected 1: send one request per answer" },
  { field: "best_of", neutral: [1], remedy: "expected 1: send one request per answer" },
  { field: "store", neutral: [false], remedy: "expected false: nothing is stored between requests" },
  { field: "modalities", neutral: [["text"]], remedy: 'expected ["text"]' },
  { field: "audio", remedy: leaveOut },
  { field: "prediction", remedy: leaveOut },
  { field: "suffix", neutral: [""], remedy: leaveOut },
  { field: "echo", neutral: [false], remedy: leaveOut },
  { field: "lora", neutral: ["", []], remedy: "expected no such field: adapters are set when the server starts" },
  { field: "adapters", neutral: [[]], remedy: "expected no such field: adapters are set when the server starts" },
  { field: "functions", neutral: [[]], remedy: "use tools instead" },
  { field: "function_call", remedy: "use tool_choice instead" },
  { field: /^(guided_\w+|grammar|grammar_\w+|structured_outputs|json_schema|format)$/, remedy: format },
  { field: /^(typical_p|tfs_z|top_n_sigma|top_a)$/, neutral: [1, 0, -1], remedy: temperature },
  { field: /^(mirostat|dynatemp|xtc|dry)(_\w+)?$/, neutral: [0], remedy: temperature },
  { field: /^(repeat_penalty|no_repeat_ngram_size)$/, neutral: [1, 0], remedy: "use repetition_penalty instead" },
  { field: "repeat_last_n", remedy: "use repetition_penalty instead" },
  { field: "bad_words", neutral: [[]], remedy: "use logit_bias instead" },
  { field: "stop_token_ids", neutral: [[]], remedy: "use stop instead" },
  { field: "min_tokens", neutral: [0], remedy: leaveOut },
  { field: "ignore_eos", neutral: [false], remedy: leaveOut },
  { field: "include_stop_str_in_output", neutral: [false], remedy: leaveOut },
  { field: "use_beam_search", neutral: [false], remedy: leaveOut },
  { field: /^(num_beams|length_penalty)$/, neutral: [1], remedy: leaveOut },
  { field: "skip_special_tokens", neutral: [true], remedy: leaveOut },
  { field: "chat_template", remedy: "expected no such field: the template is part of the model" },
  { field: "add_generation_prompt", neutral: [true], remedy: leaveOut },
  { field: "continue_final_message", neutral: [false], remedy: leaveOut },
  { field: "documents", neutral: [[]], remedy: "include their text in the messages" },
  { field: "web_search_options", remedy: leaveOut },
  { field: "verbosity", neutral: ["medium"], remedy: "ask for it in the messages" },
  { field: /^(reasoning|include_reasoning|thinking_budget|reasoning_budget)$/, remedy: reasoning },
  { field: /^(truncation|truncate_prompt_tokens|transforms)$/, neutral: [[]], remedy: "prompts are never truncated" },
  { field: "options", neutral: [{}], remedy: "set each option as a field of the request" },
  { field: "n_predict", remedy: "use max_completion_tokens instead" },
  { field: "prompt", remedy: "use messages instead" },
];

/**
 * Refuses unsupported fields, whatever the model.
 *
 * @throws {SvcError} `unsupported_parameter`.
 */
export function refuseFields(body: Readonly<Record<string, unknown>>): void {
  const refused = findRefusedField(body, refusals);
  if (refused) throw unsupportedParameter(`Cannot complete the chat: ${refused.reason}`, refused.name);
}

/**
 * A sentence for each ignored member of a valid body, at any depth, in ASCII.
 *
 * @throws {SvcError} `unsupported_parameter` for a member that would change the answer.
 */
export function ignoredFields(body: Readonly<Record<string, unknown>>): readonly string[] {
  const { refused, warnings } = otherMembers(chatFields, body, refusals);
  if (refused) throw unsupportedParameter(`Cannot complete the chat: ${refused.reason}`, refused.path);
  return warnings;
}
