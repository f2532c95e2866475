/**
 * Tool calls as markup with one element per argument.
 *
 * @module
 */
import { argumentsAt } from "./json_calls.ts";
import { type AnswerPiece, readPieces } from "./raw_tool_call.ts";

/**
 * Reads `<tool_call><function=name><parameter=key>value</parameter>…</function></tool_call>`, as Qwen's coding models
 * write it, or with the arguments in JSON, as Functionary does. A closing mark within a value is text when no further
 * mark follows it.
 */
export function readFunctionMarkup(text: string): AnswerPiece[] {
  return readPieces(text, /(?:<tool_call>\s*)?<function=([^<>\s]+)>/, ([, name], start) => {
    const parameter = /\s*<parameter=([^>]+)>\n?([\s\S]*?)\n?<\/parameter>(?=\s*(?:<parameter=|<\/function>|$))/y;
    const json = argumentsAt(text, start);
    const { values, end } = json === undefined ? elements(text, start, parameter) : { ...json, values: json.value };
    const closing = /\s*<\/function>(?:\s*<\/tool_call>)?/y;
    closing.lastIndex = end;
    if (!closing.test(text)) return undefined;
    return { calls: [{ name, arguments: values }], textual: json === undefined, end: closing.lastIndex };
  });
}

/**
 * Reads `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value>…</tool_call>`, as GLM writes it.
 */
export function readKeyValueMarkup(text: string): AnswerPiece[] {
  return readPieces(text, /<tool_call>\s*([^\s<{[]+)/, ([, name], start) => {
    const pair =
      /\s*<arg_key>([^<]*)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>(?=\s*(?:<arg_key>|<\/tool_call>|$))/y;
    const { values, end } = elements(text, start, pair);
    const closing = /\s*<\/tool_call>/y;
    closing.lastIndex = end;
    if (!closing.test(text)) return undefined;
    return { calls: [{ name, arguments: values }], textual: true, end: closing.lastIndex };
  });
}

/**
 * Reads `<invoke name="name"><parameter name="key">value</parameter>…</invoke>`, with a family's prefix or without one,
 * as MiniMax's and DeepSeek's later models write it.
 */
export function readInvokeMarkup(text: string): AnswerPiece[] {
  const prefix = String.raw`(?:\w+:|｜DSML｜)?`;
  const wrapper = `${prefix}(?:tool_calls?|function_calls)>`;
  const open = new RegExp(`(?:<${wrapper}\\s*)?<${prefix}invoke name="([^"]+)">`);
  return readPieces(text, open, ([, name], start) => {
    const next = `(?=\\s*(?:<${prefix}parameter |</${prefix}invoke>|$))`;
    const parameter = new RegExp(
      `\\s*<${prefix}parameter name="([^"]+)"[^>]*>([\\s\\S]*?)</${prefix}parameter>${next}`,
      "y",
    );
    const { values, end } = elements(text, start, parameter);
    const closing = new RegExp(`\\s*</${prefix}invoke>(?:\\s*</${wrapper})?`, "y");
    closing.lastIndex = end;
    if (!closing.test(text)) return undefined;
    return { calls: [{ name, arguments: values }], textual: true, end: closing.lastIndex };
  });
}

function elements(text: string, start: number, element: RegExp): { values: Record<string, string>; end: number } {
  const values: [string, string][] = [];
  let end = start;
  element.lastIndex = start;
  for (let match = element.exec(text); match; match = element.exec(text)) {
    values.push([match[1].trim(), match[2]]);
    end = element.lastIndex;
  }
  // Object.fromEntries sets own members, whatever names the model uses.
  return { values: Object.fromEntries(values), end };
}
