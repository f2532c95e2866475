/**
 * The live editor of the manifest page: findings as one types, and what the schema suggests.
 *
 * @module
 */
import { lintManifestText, manifestSchema, type SourceFinding, validateManifestText } from "../../lib/manifest/mod.ts";
import { SuggestionList } from "./suggestion_list.ts";

/** Most findings that are listed. */
const MAX_FINDINGS = 100;

const find = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const text = find<HTMLTextAreaElement>("manifest");
const lines = find("lines");
const verdict = find("verdict");
const list = find<HTMLOListElement>("findings");
const lint = find<HTMLInputElement>("lint");
const file = find<HTMLInputElement>("file");

const suggestions = new SuggestionList(text, find<HTMLUListElement>("suggestions"), manifestSchema());

function check(): void {
  const { valid, findings, omitted } = validateManifestText(text.value, { maxFindings: MAX_FINDINGS });
  const hints = lint.checked ? lintManifestText(text.value, { maxFindings: MAX_FINDINGS }).findings : [];
  const seen = new Set(findings.map(({ start, rule }) => `${start} ${rule}`));
  const shown = [...findings, ...hints.filter(({ start, rule }) => !seen.has(`${start} ${rule}`))]
    .sort((a, b) => a.start - b.start);
  const count = findings.length + omitted;
  const further = shown.length - findings.length;
  verdict.dataset["is"] = valid ? "good" : "bad";
  verdict.textContent = (valid ? "It conforms." : `${count} ${count === 1 ? "finding" : "findings"}.`) +
    (further > 0 ? ` ${further} more of the linter.` : "");
  list.replaceChildren(...shown.map(item));
  showLines(shown);
}

function item(finding: SourceFinding): HTMLLIElement {
  const { line, column, rule, message, severity, start, end } = finding;
  const button = element("button", "finding");
  button.type = "button";
  button.dataset["severity"] = severity;
  button.append(
    element("span", "place", `${line}:${column}`),
    element("span", "says", message),
    element("code", "rule", rule),
  );
  button.addEventListener("click", () => {
    text.focus();
    text.setSelectionRange(start, end);
    text.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(text).lineHeight));
  });
  const entry = element("li");
  entry.append(button);
  return entry;
}

function showLines(findings: readonly SourceFinding[]): void {
  const worst = new Map<number, string>();
  for (const { line, severity } of findings) if (worst.get(line) !== "error") worst.set(line, severity);
  const count = text.value.split(/\r\n?|\n/).length;
  lines.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const number = element("span", "", String(i + 1));
    const severity = worst.get(i + 1);
    if (severity !== undefined) number.dataset["severity"] = severity;
    return number;
  }));
  lines.scrollTop = text.scrollTop;
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name = "",
  content = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (name !== "") made.className = name;
  made.textContent = content;
  return made;
}

text.addEventListener("input", () => {
  check();
  suggestions.show();
});
text.addEventListener("scroll", () => lines.scrollTop = text.scrollTop);
lint.addEventListener("change", check);
find("open").addEventListener("click", () => file.click());
file.addEventListener("change", async () => {
  const [chosen] = file.files ?? [];
  if (chosen) text.value = await chosen.text();
  file.value = "";
  check();
});
find("editor").hidden = false;
check();
