/**
 * The page of a gateway: it holds no secret, and asks for the key itself.
 *
 * @module
 */
import { pageHtml, pageIcon, pageScript, pageStyle } from "../../world-page/generated.ts";
import type { Route } from "../../lib/http/router.ts";
import { pageRoutes } from "../../lib/world/http/page_routes.ts";

/** The page of the default world and of every other one, which need no worker and no key. */
export function gatewayPages(): Route[] {
  const page = { html: pageHtml, script: pageScript, style: pageStyle, icon: pageIcon };
  return ["", "/worlds/:world"].flatMap((base) => pageRoutes(base, page));
}
