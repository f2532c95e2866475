import { flagsHelp, type FlagTable, readFlags } from "../../lib/platform/terminal/flags.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { engineCapabilities } from "../../lib/app/doctor/doctor_engines.ts";
import { machineCapabilities } from "../../lib/app/doctor/doctor_machine.ts";
import {
  checkCapabilities,
  type CheckedCapability,
  formatCapability,
  summary,
} from "../../lib/app/doctor/doctor_report.ts";

const flags = {
  json: { kind: "boolean", help: "print the report as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** `svc doctor`: shows what this machine supports; status 1 when it cannot serve models at all. */
export async function doctor(args: readonly string[]): Promise<number> {
  const { json, help } = readFlags("svc doctor", args, flags);
  if (help) {
    print(
      `Show what this machine supports, and how to add what is missing\n\nUsage: svc doctor [options]\n\n${
        flagsHelp(flags)
      }\n`,
    );
    return 0;
  }
  const found: CheckedCapability[] = [];
  for await (const checked of checkCapabilities([...machineCapabilities(), ...engineCapabilities()])) {
    found.push(checked);
    if (!json) print(`${formatCapability(checked)}\n`);
  }
  const ok = found.every((one) => one.ok || !one.required);
  print(json ? `${JSON.stringify({ ok, capabilities: found }, undefined, 2)}\n` : `\n${summary(found)}\n`);
  return ok ? 0 : 1;
}
