import process from "node:process";

/** What stands before the path of a TypeScript program when the runtime of this test starts it as a new process. */
export function programArguments(): readonly string[] {
  return "deno" in process.versions ? ["run", "-A", "--no-check"] : ["--import", import.meta.resolve("tsx")];
}
