import { serveApi } from "../../servers/serve_api.ts";

/** `svc api serve`: the model API server; resolves with its exit status. */
export function apiServe(args: readonly string[]): Promise<number> {
  return serveApi("svc api serve", args);
}
