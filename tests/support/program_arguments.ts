import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** What precedes the path of a TypeScript program when the runtime of this test starts it as a new process. */
export function programArguments(): readonly string[] {
  return "deno" in process.versions ? ["run", "-A", "--no-check"] : ["--import", import.meta.resolve("tsx")];
}

/** Root of the repository. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/**
 * What the runtime of this test is given to start a program of `servers` or `cli`. On Node that is the built program
 * where `npm test` has built it: it starts in a quarter of the time, and is what the package's users run.
 */
export function programOf(path: string): readonly string[] {
  const built = !("deno" in process.versions) && process.env.SVC_TEST_BUILT === "1";
  return built ? [join(ROOT, "dist", path.replace(/\.ts$/, ".js"))] : [...programArguments(), join(ROOT, path)];
}
