import { serveGateway } from "./serve_gateway.ts";

/** `svc gateway serve`: the way into a fleet; resolves with its exit status. */
export function gatewayServe(args: readonly string[]): Promise<number> {
  return serveGateway("svc gateway serve", args);
}
