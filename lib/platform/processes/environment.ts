import process from "node:process";

/** The value of an environment variable; undefined when it is not set. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}
