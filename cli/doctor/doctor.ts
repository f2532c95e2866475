import { flagsHelp, type FlagTable, readFlags } from "../../lib/platform/terminal/flags.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { engineCapabilities } from "./doctor_engines.ts";
import { machineCapabilities } from "./doctor_machine.ts";
import { planModel } from "../plan/plan_command.ts";
import { formatPlan } from "../plan/plan_report.ts";
import {
  checkCapabilities,
  type CheckedCapability,
  formatCapability,
  paintCapability,
  summary,
} from "./doctor_report.ts";

const flags = {
  model: { kind: "string", value: "DIR", help: "also plan this world model: what fits, and how long a block takes" },
  "base-model": { kind: "string", value: "DIR", help: "folder of its text encoder, VAE and tokenizer, if elsewhere" },
  size: { kind: "string", value: "WxH", help: "size of its frames (default: the usual ones)" },
  json: { kind: "boolean", help: "print the report as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** `svc doctor`: shows what this machine supports; status 1 when it cannot serve models at all. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { json, help, model, size, "base-model": baseModel } = readFlags("svc doctor", args, flags);
  if (help) {
    print(
      `Show what this machine supports, and how to add what is missing\n\nUsage: svc doctor [options]\n\n${
        flagsHelp(flags)
      }\n`,
    );
    return 0;
  }
  // First, so that a mistake shows at once.
  const request = { command: "svc doctor", backend: undefined, model, baseModel, size, gpuBytes: undefined };
  const plan = model === undefined && baseModel === undefined && size === undefined
    ? undefined
    : await planModel({ ...request, measure: true });
  const found: CheckedCapability[] = [];
  for await (const checked of checkCapabilities([...machineCapabilities(), ...engineCapabilities()])) {
    found.push(checked);
    if (!json) print(`${formatCapability(checked)}\n`, paintCapability);
  }
  const ok = found.every((one) => one.ok || !one.required);
  if (json) print(`${JSON.stringify({ ok, capabilities: found, ...plan && { plan } }, undefined, 2)}\n`);
  else print(`\n${summary(found)}\n${plan ? `\n${formatPlan(plan)}\n` : ""}`);
  return ok ? 0 : 1;
}
