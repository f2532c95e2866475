import { UsageError } from "../../lib/platform/terminal/flags.ts";
import { chat } from "./chat.ts";

/** `svc run MODEL`: `svc chat` under the name that other tools use. */
export function run(args: readonly string[]): Promise<number> {
  if (args[0] !== "list") return chat(args);
  const remedy = "run records are listed by svc records list; for a model of this name use svc chat list";
  throw new UsageError(`Cannot run svc run list: expected a model, ${remedy}`);
}
