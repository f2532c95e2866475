/**
 * The routes of images.
 *
 * @module
 */
import type { ErrorObject } from "../../errors/svc_error.ts";
import type { FormRules } from "../../http/multipart/form_rules.ts";
import type { RateLimit } from "../../http/rate_limit.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import { imageFrame } from "../../protocol/images/image_answer.ts";
import type { Clock } from "../../scheduling/mod.ts";
import type { ModelApi } from "../service/mod.ts";
import { editTextFields } from "../service/images/image_request.ts";
import type { PreparedImage } from "../service/images/image_service.ts";
import { FrameStream } from "./frame_stream.ts";
import { inferenceRoute, warn } from "./inference_route.ts";
import { type UploadOptions, uploadRoute } from "./upload_route.ts";

/** Bytes of an edit: an input and eight references. */
const MAX_EDIT_BYTES = 100 * 2 ** 20;

const picture = { types: ["image/"], max: 16 };

/** What the form of an edit may hold. */
export const imageEditRules: FormRules = {
  action: "edit the image",
  maxBytes: MAX_EDIT_BYTES,
  texts: Object.fromEntries(editTextFields.map((name) => [name, {}])),
  files: { "image": picture, "image[]": picture, "mask": { types: ["image/"] } },
};

/** What the routes share with others. */
export interface ImageRouteOptions {
  readonly limit: RateLimit | undefined;
  readonly uploads: UploadOptions;
  readonly clock: Clock;
  /** Makes the error object of a failure after the start of a stream. */
  readonly onError: (error: unknown, call: RouteCall, gone: boolean) => ErrorObject;
}

/** Generations and edits. */
export function imageRoutes(api: ModelApi, { limit, uploads, clock, onError }: ImageRouteOptions): Route[] {
  const answer = async (image: PreparedImage, call: RouteCall, keep: (work: Promise<unknown>) => void = () => {}) => {
    const { request, headers } = call;
    warn(headers, image.warnings);
    if (!image.stream) return Response.json(await image.answer(await image.run(request.signal)));
    return await streamImage(
      image,
      { clock, signal: request.signal, onError: (e, gone) => onError(e, call, gone) },
      keep,
    );
  };
  return [
    inferenceRoute("/v1/images/generations", limit, async (body, call) => answer(await api.image(body), call)),
    uploadRoute(
      "/v1/images/edits",
      imageEditRules,
      uploads,
      async (call) => answer(await api.imageEdit(call.form), call, call.keepUntil),
    ),
  ];
}

/** Previews and the image as server-sent events; the status waits for the first, as that of a chat does. */
async function streamImage(
  image: PreparedImage,
  options: ConstructorParameters<typeof FrameStream>[0],
  keep: (work: Promise<unknown>) => void,
): Promise<Response> {
  const stream = new FrameStream(options);
  const made = image.run(stream.signal, (preview) => {
    // Previews are for clients that keep up.
    if (stream.isBehind) return;
    stream.say(imageFrame(image.route, preview));
    stream.open();
  });
  keep(made);
  made.then((whole) => {
    stream.say(imageFrame(image.route, whole));
    stream.end();
  }, (error) => stream.fail(error));
  await Promise.race([made, stream.opened]);
  return new Response(stream.body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
