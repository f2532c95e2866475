import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** One line of a table: what it is about, and tests of it. */
export interface TableLine {
  readonly row: string;
  readonly file: string;
  readonly names: readonly string[];
}

/** A document that has a test for every row of a contract. */
export class ConformanceTable {
  /** The lines of its tables by their heading. */
  readonly sections: ReadonlyMap<string, readonly TableLine[]>;

  /** @param path Where the document is, from the root of the repository. */
  constructor(path: string) {
    this.sections = new Map(
      readFileSync(join(root, path), "utf8").split(/^### /m).slice(1).map((part) =>
        [part.split("\n")[0].trim(), linesOf(part)] as const
      ),
    );
  }

  /** The rows of a section as text. */
  rows(heading: string): string {
    return this.sections.get(heading)!.map(({ row }) => row).join("\n");
  }
}

function linesOf(part: string): TableLine[] {
  const cells = part.split("\n").filter((line) => line.startsWith("| ")).slice(2).map((line) =>
    line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"))
  );
  return cells.map(([row, file, tests]) => ({
    row,
    file: file.replaceAll("`", ""),
    names: [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  }));
}
