/**
 * The report of a GPU proof in Markdown.
 *
 * @module
 */
import { aimsOf } from "./aims.ts";
import {
  adapterSection,
  cancelSection,
  fullWidthSection,
  goldensSection,
  operatorsSection,
  passSection,
  speedSection,
  worldSection,
} from "./report_sections.ts";
import { section, table } from "./report_tables.ts";

/** How one part ended. */
export interface PartRun {
  readonly name: string;
  readonly seconds: number;
  /** Undefined where it ended with 0. */
  readonly problem?: string;
}

/** What the parts found, by their names: what each writes with `PartResults`. */
// deno-lint-ignore no-explicit-any
export type Findings = Readonly<Record<string, any>>;

/** Everything a proof found. */
export interface ProofSummary {
  readonly date: string;
  readonly commit: string;
  readonly runs: readonly PartRun[];
  readonly parts: Findings;
}

/** The card's name. */
export function cardOf({ parts: { adapter, pytorch } }: ProofSummary): string {
  const name = adapter?.about?.description || adapter?.about?.device || "unknown card";
  // Dawn names a driver where PyTorch names the card.
  return /driver|NVIDIA$/i.test(name) && pytorch?.card && pytorch.card !== "CPU" ? pytorch.card : name;
}

/** The whole report. */
export function renderReport(summary: ProofSummary): string {
  const { parts, date, commit, runs } = summary;
  const rehearsal = parts.adapter?.rehearsal === true;
  return [
    `# WebGPU on ${cardOf(summary)}\n`,
    `Measured by \`npm run proof:gpu\` on ${date} at commit ${commit}.\n`,
    ...(rehearsal ? ["**A rehearsal with tiny sizes on a software adapter: no figure here describes a GPU.**\n"] : [
      section(
        "Aims on an H100",
        table(
          ["what", "aim", "found", ""],
          aimsOf(summary).map((
            { what, aim, found, met },
          ) => [what, aim, found, met === undefined ? "" : met ? "met" : "missed"]),
        ),
      ),
    ]),
    section(
      "Parts",
      table(
        ["part", "ended", "seconds"],
        runs.map(({ name, problem, seconds }) => [name, problem ?? "ok", seconds.toFixed(0)]),
      ),
    ),
    ...Object.entries(parts).filter(([, part]) => part.failed).map(([name, part]) => `**${name}**: ${part.failed}\n`),
    adapterSection(parts.adapter),
    operatorsSection(parts.operators),
    goldensSection(parts.goldens),
    speedSection(summary),
    passSection(parts),
    worldSection(parts),
    fullWidthSection(parts.full_width),
    cancelSection(parts.cancel),
    ...(parts.pytorch?.problems?.length ? [`PyTorch: ${parts.pytorch.problems.join("; ")}\n`] : []),
  ].filter((text) => text !== "").join("\n");
}
