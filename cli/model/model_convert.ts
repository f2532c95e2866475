import { showBytes } from "../../lib/errors/show_bytes.ts";
import { convertTensors } from "../../lib/app/model_store/convert/convert_tensors.ts";
import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { type ModelHost, oneWord } from "./model_host.ts";

const COMMAND = "svc model convert";

const FLAGS = {
  kind: { kind: "choice", choices: ["tensors"], help: "what the weights are" },
  output: { kind: "string", value: "FILE", short: "o", help: "the .safetensors file to write" },
  part: { kind: "string", value: "NAME", help: "the part to take where several have tensors, such as ema" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP = `Convert published weights

Usage: ${COMMAND} --kind tensors SRC -o FILE.safetensors

Turns a checkpoint of tensors into one safetensors file: names, types and numbers stay the same. SRC is a file (.pt,
.pth, .ckpt, .bin or .safetensors), an index of shards, or a folder with one of them. Nothing in it is executed: a file
with anything but tensors and plain values is refused, and the message names what it contains.

Options:
${flagsHelp(FLAGS)}

Example:
  ${COMMAND} --kind tensors video_depth_anything_vits.pth -o model.safetensors`;

/** Runs `svc model convert`. */
export async function modelConvert(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) {
    host.terminal.out(HELP);
    return 0;
  }
  const source = oneWord(COMMAND, words, "checkpoint");
  const { kind, output = "", part } = flags;
  if (kind === undefined) throw new UsageError(`Cannot run ${COMMAND}: --kind is missing, expected --kind tensors`);
  if (!/[^/\\]\.safetensors$/i.test(output)) {
    throw new UsageError(`Cannot run ${COMMAND}: the output is "${output}", expected -o FILE.safetensors`);
  }
  const view = host.progress();
  try {
    const { tensors, bytes, found } = await convertTensors({ source, output, part }, view.update, host.signal);
    view.stop();
    host.terminal.out(`${found ? "Found" : "Wrote"} ${output} (${tensors} tensors, ${showBytes(bytes)})`);
    return 0;
  } finally {
    view.stop();
  }
}
