import { AccessPolicy } from "../../lib/http/access_policy.ts";
import { WrongKeys } from "../../lib/http/wrong_keys.ts";

/** The access policy of a test server: it answers wrong keys at once. */
export function promptAccess(
  options: { readonly apiKey?: string | undefined; readonly allowOrigins?: readonly string[] },
): AccessPolicy {
  return new AccessPolicy({ ...options, wrongKeys: new WrongKeys({ now: () => 0, wait: () => Promise.resolve() }) });
}
