import { conflict, notFound } from "../../errors/svc_error.ts";
import { readJson } from "../../http/request_body.ts";
import type { ModelStart } from "../protocol/model_files.ts";
import { type PictureDescription, readPictureRequest } from "../protocol/requests/start_requests.ts";
import type { WorldStart } from "../protocol/wire.ts";
import { toWire } from "../../json/wire_form.ts";
import type { FindWorld } from "./world_call.ts";
import type { Route } from "../../http/router.ts";

/** Makes a picture of a described place: the bytes of a PNG. */
export type DescribeStart = (
  place: PictureDescription,
  signal: AbortSignal,
  onWarning: (text: string) => void,
) => Promise<Uint8Array>;

/**
 * Routes of the images that a world can start from, for the worlds at a base path.
 *
 * @param start Reads the one that comes with the model; rejects with `start_not_found` when there is none.
 * @param describe Makes one of a described place.
 */
export function startRoutes(
  base: string,
  find: FindWorld,
  start: () => Promise<ModelStart>,
  describe: DescribeStart = noPictures,
): Route[] {
  const at = "/v1/world/start";
  return [
    {
      method: "GET",
      path: base + at,
      handle: async (call) => {
        find(call);
        const { prompt, places = [] } = await start();
        const first = { prompt, imageMediaPath: `${at}/image` };
        const others = places.map(({ prompt }, i) => ({ prompt, imageMediaPath: `${at}/places/${i + 1}/image` }));
        const record: WorldStart = { object: "world.start", ...first, places: [first, ...others] };
        return Response.json(toWire(record));
      },
    },
    {
      method: "GET",
      path: `${base}${at}/image`,
      handle: async (call) => {
        find(call);
        return png((await start()).image);
      },
    },
    {
      method: "GET",
      path: `${base}${at}/places/:place/image`,
      handle: async (call) => {
        find(call);
        const name = call.part("place");
        const { places = [] } = await start();
        const place = /^[1-9]\d{0,3}$/.test(name) ? places[Number(name) - 1] : undefined;
        if (place) return png(await place.read());
        throw notFound(
          "start_not_found",
          `Cannot find place ${name}: the model has ${places.length} besides its first`,
        );
      },
    },
    {
      method: "POST",
      path: `${base}${at}/picture`,
      handle: async (call) => {
        find(call);
        const { request } = call;
        const place = readPictureRequest(await readJson(request));
        const warnings: string[] = [];
        const response = png(await describe(place, request.signal, (text) => warnings.push(text)));
        for (const text of warnings) response.headers.append("x-svc-warning", text);
        return response;
      },
    },
  ];
}

function png(image: Uint8Array): Response {
  const headers = { "content-type": "image/png", "content-length": `${image.length}`, "cache-control": "no-store" };
  return new Response(new Uint8Array(image), { headers });
}

function noPictures(): Promise<Uint8Array> {
  return Promise.reject(
    notFound("start_not_found", "Cannot make a picture: this server has no image model, upload a picture"),
  );
}

/** Makes one picture at a time: another one takes as much of the machine again. */
export function exclusively(describe: DescribeStart): DescribeStart {
  let isDrawing = false;
  return async (place, signal, onWarning) => {
    if (isDrawing) {
      throw conflict("session_busy", "Cannot make a picture: another one is being made, wait until it is done");
    }
    isDrawing = true;
    try {
      return await describe(place, signal, onWarning);
    } finally {
      isDrawing = false;
    }
  };
}
