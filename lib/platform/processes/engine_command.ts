/** The command that makes a compiled program an engine's process. */
export const ENGINE_COMMAND = "engine-process";
