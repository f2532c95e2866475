import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { dim, green, type Paint, red, yellow } from "../../lib/platform/terminal/terminal_text.ts";

/** The result of a check: what was found, or what is missing and the remedy. */
export type Finding =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/** A capability that this machine may have. */
export interface Capability {
  readonly name: string;
  /** What it is for. */
  readonly purpose: string;
  /** Whether it is required to serve models. */
  readonly required: boolean;
  /** A thrown error counts as a missing capability. */
  readonly check: () => Promise<Finding>;
}

/** A checked capability. */
export type CheckedCapability = Pick<Capability, "name" | "purpose" | "required"> & Finding;

/**
 * Runs the checks one after the other: native libraries are loaded into this process, and some conflict when loaded
 * concurrently.
 */
export async function* checkCapabilities(
  capabilities: readonly Capability[],
): AsyncGenerator<CheckedCapability, void, void> {
  for (const { name, purpose, required, check } of capabilities) {
    yield { name, purpose, required, ...await check().catch(asFinding) };
  }
}

/** One capability as text: a line, and a second one with the remedy where it is missing. */
export function formatCapability(checked: CheckedCapability): string {
  const { name, purpose, required } = checked;
  if (checked.ok) return `ok       ${name}: ${checked.detail}`;
  return `${required ? "MISSING" : "without"}  ${name} (${purpose}): ${checked.reason}\n           ${checked.remedy}`;
}

/** Colours the words of {@linkcode formatCapability} that say what was found, and its remedy. */
export const paintCapability: Paint = (shown) =>
  shown.replace(/^ok\b/, green).replace(/^MISSING\b/, red).replace(/^without\b/, yellow).replace(/(?<=\n) +.+/, dim);

/** The final summary. */
export function summary(all: readonly CheckedCapability[]): string {
  const missing = all.filter(({ ok, required }) => !ok && required).map(({ name }) => name);
  if (missing.length > 0) return `Models cannot be served: ${missing.join(", ")} missing`;
  const without = all.filter(({ ok }) => !ok).length;
  return without === 0
    ? "Everything works"
    : `Models can be served; ${without === 1 ? "one thing" : `${without} things`} of ${all.length} missing`;
}

function asFinding(error: unknown): Finding {
  return {
    ok: false,
    reason: error instanceof Error ? error.message : String(error),
    remedy: error instanceof UsageError ? "set it, then run svc doctor again" : "report this if it should work",
  };
}
