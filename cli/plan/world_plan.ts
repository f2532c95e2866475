import { formatPlan } from "./plan_report.ts";
import { planModel } from "./plan_command.ts";
import { print } from "../../lib/platform/processes/run_main.ts";
import { flagsHelp, type FlagTable, readFlags } from "../../lib/platform/terminal/flags.ts";

const COMMAND = "svc world plan";

const FLAGS = {
  backend: { kind: "choice", choices: ["arworld", "actionworld"], help: "kind of world model (default: by its files)" },
  model: { kind: "string", value: "DIR", help: "folder of the model (default: the embedded world)" },
  "base-model": {
    kind: "string",
    value: "DIR",
    help: "folder of text encoder, VAE and tokenizer, if not beside --model",
  },
  decoder: { kind: "choice", choices: ["full", "tiny"], default: "full", help: "arworld only: decoder of the frames" },
  size: { kind: "string", value: "WxH", help: "size of the frames (default: the usual ones)" },
  "gpu-memory-gb": {
    kind: "number",
    value: "GIB",
    min: 0,
    max: 2 ** 20,
    help: "memory of the GPU (default: this one's)",
  },
  measure: { kind: "boolean", help: "measure the device for ten seconds, and say how long a block takes" },
  json: { kind: "boolean", help: "print the plan as JSON" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

/** `svc world plan`: what a world model takes at each size, worked out from its headers; no weights are read. */
export async function worldPlan(args: readonly string[]): Promise<number> {
  const flags = readFlags(COMMAND, args, FLAGS);
  if (flags.help) {
    print(
      `Show how much memory a world model needs at each size, and what fits; reads no weights\n\nUsage: ${COMMAND} [options]\n\n${
        flagsHelp(FLAGS)
      }\n`,
    );
    return 0;
  }
  const gigabytes = flags["gpu-memory-gb"];
  const report = await planModel({
    command: COMMAND,
    backend: flags.backend,
    model: flags.model,
    baseModel: flags["base-model"],
    decoder: flags.decoder,
    size: flags.size,
    gpuBytes: gigabytes === undefined ? undefined : gigabytes * 2 ** 30,
    measure: flags.measure,
  });
  print(flags.json ? `${JSON.stringify(report, undefined, 2)}\n` : `${formatPlan(report)}\n`);
  return 0;
}
