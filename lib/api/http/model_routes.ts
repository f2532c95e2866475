import type { ModelApi } from "../service/mod.ts";
import { isLoopback } from "../../http/access_policy.ts";
import type { Route } from "../../http/router.ts";

/** The routes that list models. */
export function modelRoutes(api: ModelApi): Route[] {
  return [
    {
      method: "GET",
      path: "/v1/models",
      handle: async ({ peer }) => Response.json({ object: "list", data: await api.models(isLoopback(peer)) }),
    },
    {
      method: "GET",
      path: "/v1/models/:id",
      handle: async ({ peer, part }) => Response.json(await api.model(part("id"), isLoopback(peer))),
    },
  ];
}
