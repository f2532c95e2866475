import { serveApi } from "../../servers/serve_api.ts";

/** `svc api serve`: the model API server; the exit status comes with its end. */
export function apiServe(args: readonly string[]): Promise<number> {
  return serveApi("svc api serve", args);
}
