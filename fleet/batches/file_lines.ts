/**
 * Lines of a file that may be larger than memory.
 *
 * @module
 */
import { openFile } from "../../lib/platform/files/open_file.ts";
import { UsageError } from "../../lib/platform/terminal/flags.ts";

/**
 * Reads the lines of a file as they are asked for.
 *
 * @param most Characters of a line: of a longer one its beginning comes, of more characters than these, and nothing else.
 * @throws {UsageError} when there is no such file.
 */
export async function* fileLines(path: string, most: number): AsyncGenerator<string, void, void> {
  const file = await openFile(path);
  if (!file) throw new UsageError(`Cannot read ${path}: there is no such file`);
  const decoder = new TextDecoder();
  let rest = "";
  if (file.size > 0) {
    for await (const part of file.stream(0, file.size - 1)) {
      const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
      rest = lines.pop()!;
      yield* lines;
      if (rest.length > most) return yield rest;
    }
  }
  yield rest + decoder.decode();
}
