import type { ModelStart } from "../backends/model_start.ts";
import type { WorldStart } from "../protocol/wire.ts";
import type { FindWorld } from "./world_call.ts";
import type { Route } from "../../http/router.ts";

/**
 * Routes of the image that comes with the model, for the worlds at a base path.
 *
 * @param start Reads it; rejects with `start_not_found` when there is none.
 */
export function startRoutes(base: string, find: FindWorld, start: () => Promise<ModelStart>): Route[] {
  const at = "/v1/world/start";
  return [
    {
      method: "GET",
      path: base + at,
      handle: async (call) => {
        find(call);
        const { prompt } = await start();
        const record: WorldStart = { object: "world.start", prompt, image_media_path: `${at}/image` };
        return Response.json(record);
      },
    },
    {
      method: "GET",
      path: `${base}${at}/image`,
      handle: async (call) => {
        find(call);
        const image = new Uint8Array((await start()).image);
        const headers = {
          "content-type": "image/png",
          "content-length": `${image.length}`,
          "cache-control": "no-store",
        };
        return new Response(image, { headers });
      },
    },
  ];
}
