import type { ModelApi } from "../service/mod.ts";
import { readJson } from "../../http/request_body.ts";
import type { Route } from "../../http/router.ts";
import { isLoopback } from "../../http/access_policy.ts";

/** The routes that report loaded models and change their settings. */
export function runtimeRoutes(api: ModelApi): Route[] {
  return [
    { method: "GET", path: "/runtime/status", handle: async () => Response.json(await api.status()) },
    {
      method: "POST",
      path: "/runtime/models/:id/load",
      handle: async ({ part, request }) => Response.json(await api.load(part("id"), request.signal)),
    },
    {
      method: "POST",
      path: "/runtime/models/:id/unload",
      handle: async ({ part, request }) => Response.json(await api.unload(part("id"), request.signal)),
    },
    {
      method: "GET",
      path: "/runtime/models/:id/settings",
      handle: async ({ part }) => Response.json(await api.settings(part("id"))),
    },
    {
      method: "PATCH",
      path: "/runtime/models/:id/settings",
      handle: async ({ part, request }) => Response.json(await api.changeSettings(part("id"), await readJson(request))),
    },
  ];
}

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
