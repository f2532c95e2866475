/**
 * Yes-or-no questions.
 *
 * @module
 */
import process from "node:process";
import { createInterface } from "node:readline";

/** Asks on the terminal: everything but `y` and `yes` means no. Undefined when the terminal is not interactive. */
export async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.question(`${question} [y/N] `, resolve);
      lines.once("close", () => resolve("")); // Ctrl+C, Ctrl+D
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
