import { serveWorld } from "../../servers/serve_world.ts";

/** `svc world serve`: the world server; the exit status comes with its end. */
export function worldServe(args: readonly string[]): Promise<number> {
  return serveWorld("svc world serve", args);
}
