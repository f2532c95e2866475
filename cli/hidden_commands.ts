import { ENGINE_COMMAND } from "../lib/platform/processes/engine_command.ts";
import type { Command } from "./run_command.ts";

/** What the compiled program starts of itself, where there are no modules on disk to start. */
export const hidden: Readonly<Record<string, Command>> = {
  [ENGINE_COMMAND]: {
    help: "run an engine for the server that started it",
    run: async () => {
      await import("../lib/app/models/engine/engine_process.ts");
      return 0;
    },
  },
};
