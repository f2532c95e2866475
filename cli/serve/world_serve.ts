import { serveWorld } from "../../servers/serve_world.ts";

/** `svc world serve`: the world server; resolves with its exit status. */
export function worldServe(args: readonly string[]): Promise<number> {
  return serveWorld("svc world serve", args);
}
