import type { ModelApi } from "../service/mod.ts";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { readJson, readNeedlessJson } from "../../http/request_body.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { isLoopback } from "../../http/access_policy.ts";
import { bodyRules, readFields } from "../../errors/read_fields.ts";
import { warn } from "./inference_route.ts";

/** What other servers take with a load; here it is a model's settings. */
const settings: FieldRefusal = {
  field:
    /^(pinned|alias|settings|ttl\w*|keep_?alive|(max_?|n_?|num_?)?(context|ctx)\w*|max_?tokens|temperature|top_?p|min_?p|kv_?cache\w*|engine\w*|draft\w*|device|gpu\w*|n_?gpu\w*|loras?|adapters?)$/i,
  remedy: "expected no such field: PATCH /runtime/models/{id}/settings changes settings",
};

/** Loading and unloading take no fields: those that would change something are refused, others named in the answer. */
async function checkFields({ request, headers }: RouteCall, action: string): Promise<void> {
  const body = await readNeedlessJson(request);
  if (body !== undefined) warn(headers, readFields(body, bodyRules(action, {}, [settings])).warnings);
}

/** The routes that report loaded models and change their settings. */
export function runtimeRoutes(api: ModelApi): Route[] {
  return [
    { method: "GET", path: "/runtime/status", handle: async () => Response.json(await api.status()) },
    {
      method: "POST",
      path: "/runtime/models/:id/load",
      handle: async (call) => {
        await checkFields(call, "load the model");
        return Response.json(await api.load(call.part("id"), call.request.signal));
      },
    },
    {
      method: "POST",
      path: "/runtime/models/:id/unload",
      handle: async (call) => {
        await checkFields(call, "unload the model");
        return Response.json(await api.unload(call.part("id"), call.request.signal));
      },
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
