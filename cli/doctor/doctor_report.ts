/** What was found: how it stands, or what is missing and what to do about it. */
export type Finding =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/** Something that this machine may be able to do. */
export interface Capability {
  readonly name: string;
  /** What it is good for. */
  readonly purpose: string;
  /** Whether nothing works without it. */
  readonly required: boolean;
  /** What it throws is a reason too. */
  readonly check: () => Promise<Finding>;
}

/** A capability with what was found. */
export type CheckedCapability = Pick<Capability, "name" | "purpose" | "required"> & Finding;

/** Checks one after the other: native libraries are loaded into this process, and some do not like company. */
export async function* checkCapabilities(
  capabilities: readonly Capability[],
): AsyncGenerator<CheckedCapability, void, void> {
  for (const { name, purpose, required, check } of capabilities) {
    yield { name, purpose, required, ...await check().catch(asFinding) };
  }
}

/** One capability for people: a line, and a second one with the remedy where it is missing. */
export function formatCapability(checked: CheckedCapability): string {
  const { name, purpose, required } = checked;
  if (checked.ok) return `ok       ${name}: ${checked.detail}`;
  return `${required ? "MISSING" : "without"}  ${name} (${purpose}): ${checked.reason}\n           ${checked.remedy}`;
}

/** The last sentence. */
export function summary(all: readonly CheckedCapability[]): string {
  const missing = all.filter(({ ok, required }) => !ok && required).map(({ name }) => name);
  if (missing.length > 0) return `Models cannot be served: ${missing.join(", ")} missing`;
  const without = all.filter(({ ok }) => !ok).length;
  return without === 0
    ? "Everything works"
    : `Models can be served; ${
      without === 1 ? "one thing" : `${without} things`
    } of ${all.length} could be had besides`;
}

function asFinding(error: unknown): Finding {
  return {
    ok: false,
    reason: error instanceof Error ? error.message : String(error),
    remedy: "report this if it should work",
  };
}
