/**
 * What every evaluation is as a command: its flags, their help, and errors as the command line prints them.
 *
 * @module
 */
import process from "node:process";
import {
  flagsHelp,
  type FlagTable,
  type FlagValues,
  readFlags,
  UsageError,
} from "../../lib/platform/terminal/flags.ts";

const helpFlag = { help: { kind: "boolean", help: "print this" } } as const satisfies FlagTable;

/**
 * Runs an evaluation with the arguments of this process, or prints its help.
 *
 * @param name How it is called, such as `deno task eval:world`.
 * @param about What it judges, in a sentence or two of at most 120 columns a line.
 */
export async function runEval<const T extends FlagTable>(
  { name, about, flags }: { readonly name: string; readonly about: string; readonly flags: T },
  evaluate: (options: FlagValues<T>) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2);
  try {
    if (readFlags(name, args, { ...flags, ...helpFlag }).help) {
      process.stdout.write(`${name}\n\n${about}\n\nFlags:\n${flagsHelp({ ...flags, ...helpFlag })}\n`);
      return;
    }
    await evaluate(readFlags(name, args, flags));
  } catch (error) {
    process.stderr.write(`svc: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
