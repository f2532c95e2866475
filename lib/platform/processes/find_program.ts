import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import process from "node:process";

/** The path of a program on PATH; undefined when there is none. */
export async function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(delimiter)) {
    for (const ending of folder === "" ? [] : endings) {
      const path = join(folder, name + ending);
      const usable = await access(path, constants.X_OK).then(() => stat(path)).then(
        (info) => info.isFile(),
        () => false,
      );
      if (usable) return path;
    }
  }
  return undefined;
}
