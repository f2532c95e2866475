/**
 * What an editor shows of a manifest: findings, completions, descriptions, corrections.
 *
 * @module
 */
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  DiagnosticSeverity,
  Hover,
  Position,
  Range,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { lintManifestText, manifestSchema, type Severity, type SourceFinding, validateManifestText } from "../mod.ts";
import { completeJson, describeJson } from "../complete_json.ts";
import { jsonCursor } from "../../json/json_cursor.ts";
import { parseSource } from "../../json/json_source.ts";
import { isObject } from "../../json/json_text.ts";

/** As the protocol counts them. */
const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = { error: 1, warning: 2, note: 3 };

const SCHEMA = manifestSchema();

/** Kinds of completions: a property and a value. */
const [PROPERTY, VALUE] = [10, 12] as const;

/** Members of a manifest by which it is recognised, at its top. */
const MARKS = ["contract_version", "provider_id", "nodes"] as const;

/** Whether a JSON text is a manifest or about to become one: other JSON files are not this server's. */
export function isManifest(document: TextDocument): boolean {
  const text = document.getText();
  const parsed = parseSource(text);
  if (!parsed.problem) {
    const { value } = parsed;
    return isObject(value) && MARKS.some((name) => Object.hasOwn(value, name));
  }
  // While it is being typed it has no value yet.
  return MARKS.some((name) => new RegExp(`^\\s*\\{[^]{0,4000}?"${name}"\\s*:`).test(text));
}

/** Everything that the validator and the lint find, in the order of the text. */
export function diagnosticsOf(document: TextDocument): Diagnostic[] {
  const text = document.getText();
  const findings = [...validateManifestText(text).findings, ...lintManifestText(text).findings];
  return findings.sort((a, b) => a.start - b.start).map((finding) => ({
    range: rangeOf(finding),
    severity: SEVERITY[finding.severity],
    code: finding.rule,
    source: "svc manifest",
    message: finding.message,
    ...finding.meant !== undefined && { data: { meant: finding.meant } },
    ...finding.other && {
      relatedInformation: [{
        location: { uri: document.uri, range: rangeOf(finding.other) },
        message: "the first one",
      }],
    },
  }));
}

function rangeOf(
  { line, column, endLine, endColumn }: Pick<SourceFinding, "line" | "column" | "endLine" | "endColumn">,
): Range {
  return {
    start: { line: line - 1, character: column - 1 },
    end: { line: endLine - 1, character: endColumn - 1 },
  };
}

/** Names of members that are not there yet, or the values that the schema lists. */
export function completionsAt(document: TextDocument, position: Position): CompletionItem[] {
  const { role, path, from, to, items } = completeJson(document.getText(), document.offsetAt(position), SCHEMA);
  const range = { start: document.positionAt(from), end: document.positionAt(to) };
  return items.map(({ label, isRequired, insert }) => {
    if (role === "value") {
      return { label: insert, kind: VALUE, filterText: insert, textEdit: { range, newText: insert } };
    }
    const documentation = describeJson(SCHEMA, [...path, label]);
    return {
      label,
      kind: PROPERTY,
      detail: isRequired ? "required" : "optional",
      sortText: `${isRequired ? 0 : 1}${label}`,
      filterText: JSON.stringify(label),
      textEdit: { range, newText: insert },
      ...documentation !== undefined && { documentation },
    };
  });
}

/** What the schema says of the member or value at a position. */
export function hoverAt(document: TextDocument, position: Position): Hover | undefined {
  const text = document.getText();
  const { role, path, start, end } = jsonCursor(text, document.offsetAt(position));
  if (start === end) return undefined;
  const name = text.slice(start, end).replace(/^"|"$/g, "");
  const value = describeJson(SCHEMA, role === "name" ? [...path, name] : path);
  if (value === undefined) return undefined;
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  return { contents: { kind: "markdown", value }, range };
}

/** Corrections of misspelled names and words. */
export function correctionsOf(uri: string, diagnostics: readonly Diagnostic[]): CodeAction[] {
  return diagnostics.flatMap((diagnostic) => {
    const meant: unknown = diagnostic.data?.meant;
    if (typeof meant !== "string") return [];
    const newText = JSON.stringify(meant);
    return [{
      title: `Change to ${newText}`,
      kind: "quickfix",
      isPreferred: true,
      diagnostics: [diagnostic],
      edit: { changes: { [uri]: [{ range: diagnostic.range, newText }] } },
    }];
  });
}
