/**
 * The chat template of a scripted model.
 *
 * @module
 */
import type { ScriptedAnswer } from "./scripted_answers.ts";
import type { ScriptedStart } from "./scripted_vocabulary.ts";

/**
 * Writes a template in the manner of Qwen's: messages between marks, tools and their calls as Hermes writes them,
 * thoughts that can be switched off. Behind the mark of the answer it puts the token that starts the script.
 */
export function tinyTemplate(starts: readonly ScriptedStart[]): string {
  const branches = starts.map(({ answer, token, plain }, index) => {
    const head = index === 0 ? "if" : "elif";
    const chosen = token === plain ? quote(plain) : `${quote(plain)} if no_thoughts else ${quote(token)}`;
    return `{%- ${head} ${condition(answer)} -%}\n  {{- ${chosen} -}}`;
  });
  return `{%- macro text_of(content) -%}
  {%- if content is string -%}
    {{- content -}}
  {%- elif content -%}
    {%- for part in content -%}
      {{- part.text if part.type == "text" else "<image>" -}}
    {%- endfor -%}
  {%- endif -%}
{%- endmacro -%}
{%- set no_thoughts = enable_thinking is defined and not enable_thinking -%}
{%- set has_system = messages[0].role == "system" or messages[0].role == "developer" -%}
{%- if tools -%}
  {{- "<|im_start|>system\\n" -}}
  {%- if has_system -%}
    {{- text_of(messages[0].content) + "\\n\\n" -}}
  {%- endif -%}
  {{- "You can call these functions:\\n" -}}
  {%- for tool in tools -%}
    {{- tool | tojson + "\\n" -}}
  {%- endfor -%}
  {{- 'Call one by <tool_call>\\n{"name": NAME, "arguments": OBJECT}\\n</tool_call><|im_end|>\\n' -}}
{%- elif has_system -%}
  {{- "<|im_start|>system\\n" + text_of(messages[0].content) + "<|im_end|>\\n" -}}
{%- endif -%}
{%- for message in messages -%}
  {%- if message.role == "user" -%}
    {{- "<|im_start|>user\\n" + text_of(message.content) + "<|im_end|>\\n" -}}
  {%- elif message.role == "tool" -%}
    {{- "<|im_start|>user\\n<tool_response>\\n" + text_of(message.content) + "\\n</tool_response><|im_end|>\\n" -}}
  {%- elif message.role == "assistant" -%}
    {{- "<|im_start|>assistant\\n" -}}
    {%- if message.reasoning_content -%}
      {{- "<think>\\n" + message.reasoning_content + "\\n</think>\\n\\n" -}}
    {%- endif -%}
    {{- text_of(message.content) -}}
    {%- for call in message.tool_calls or [] -%}
      {{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' -}}
      {{- call.function.arguments if call.function.arguments is string else call.function.arguments | tojson -}}
      {{- "}\\n</tool_call>" -}}
    {%- endfor -%}
    {{- "<|im_end|>\\n" -}}
  {%- elif not loop.first -%}
    {{- "<|im_start|>system\\n" + text_of(message.content) + "<|im_end|>\\n" -}}
  {%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
  {{- "<|im_start|>assistant\\n" -}}
  {%- if no_thoughts -%}
    {{- "<think>\\n\\n</think>\\n\\n" -}}
  {%- endif -%}
  {%- set last = messages[messages | length - 1] -%}
  {%- set said = text_of(last.content) | lower -%}
  ${branches.join("\n").replaceAll("\n", "\n  ")}
  {%- endif -%}
{%- endif -%}
`;
}

function condition({ when, role, withTools }: ScriptedAnswer): string {
  const parts = [
    ...when === "" ? [] : [`${quote(when.toLowerCase())} in said`],
    ...role === undefined ? [] : [`last.role == ${quote(role)}`],
    ...withTools ? ["tools"] : [],
  ];
  return parts.join(" and ") || "true";
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
