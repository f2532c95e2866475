import { existsSync, readFileSync } from "node:fs";
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
  readonly #description: string;

  /**
   * @param path Where the document is, from the root of the repository.
   * @param description The API description, whose words names of tests may be made with.
   */
  constructor(path: string, description: string) {
    this.#description = description;
    this.sections = new Map(
      readFileSync(join(root, path), "utf8").split(/^### /m).slice(1).map((part) =>
        [part.split("\n")[0].trim(), linesOf(part)] as const
      ),
    );
  }

  /** The lines that name a test that is not there. */
  missing(): string[] {
    return [...this.sections.values()].flat().flatMap(({ row, file, names }) => {
      const path = join(root, file);
      if (names.length === 0 || !existsSync(path)) return [`${row}: ${file}`];
      const text = readFileSync(path, "utf8");
      return names.filter((name) => !this.#hasTest(text, name)).map((name) => `${row}: ${file}: ${name}`);
    });
  }

  /** The rows of a section as text. */
  rows(heading: string): string {
    return this.sections.get(heading)!.map(({ row }) => row).join("\n");
  }

  /**
   * Whether a file has a test of that name, where `…` stands for anything. What stands in the place of a value of a
   * parametrised name must be made of words of the file or of the API description.
   */
  #hasTest(text: string, name: string): boolean {
    return testNames(text).some((written) => {
      if (written === name) return true;
      const [head] = written.split("${");
      if (head !== written && name === `${head}…`) return true;
      const literals = written.split(/\$\{[^}]*\}/).map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
      const values = new RegExp(`^${literals.join("(.+?)")}$`).exec(name)?.slice(1) ?? [];
      const known = `${text}\n${this.#description}`.toLowerCase();
      return values.length > 0 &&
        values.flatMap((value) => value.toLowerCase().match(/[a-z0-9]+/g) ?? []).every((word) => known.includes(word));
    });
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

/** Names of the tests of a file, as they are written. */
function testNames(text: string): string[] {
  return [...text.matchAll(/\btest\(\s*("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)/g)].map(([, name]) =>
    name.startsWith('"') ? JSON.parse(name) : name.slice(1, -1)
  );
}
