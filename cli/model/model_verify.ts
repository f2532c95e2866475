import { flagsHelp, type FlagTable, readFlagsAndWords } from "../../lib/platform/terminal/flags.ts";
import { verifyModel } from "../../lib/store/verify_model.ts";
import { printable } from "../manifest/manifest_report.ts";
import { findInstalled, type ModelHost } from "./model_host.ts";

const COMMAND = "svc model verify";

const FLAGS = { help: { kind: "boolean", help: "show this help" } } as const satisfies FlagTable;

const HELP = `Compare the files of models with the sizes and SHA-256 hashes recorded at installation

Usage: ${COMMAND} [ID...]

Without an ID all models are checked.

Options:
${flagsHelp(FLAGS)}

Exit status: 0 all is well, 1 something is wrong.`;

/** Runs `svc model verify`. */
export async function modelVerify(args: readonly string[], host: ModelHost): Promise<number> {
  const { flags, words } = readFlagsAndWords(COMMAND, args, FLAGS);
  if (flags.help) {
    host.terminal.out(HELP);
    return 0;
  }
  const { models, broken } = await host.store.contents();
  const named = await Promise.all(words.map((word) => findInstalled(host, "verify", word)));
  const unreadable = words.length > 0 ? [] : broken;
  for (const { problem } of unreadable) host.terminal.err(problem);
  let wrong = unreadable.length;
  for (const model of words.length > 0 ? named : models) {
    const view = host.progress();
    const problems = await verifyModel(model, view.update, host.signal).finally(() => view.stop());
    if (problems.length === 0) host.terminal.out(`${model.id}: all ${model.files.length} files are unchanged`);
    for (const problem of problems) host.terminal.err(`${model.id}: ${printable(problem)}`);
    wrong += problems.length;
  }
  return wrong === 0 ? 0 : 1;
}
