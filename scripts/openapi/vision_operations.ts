/**
 * The vision routes of a model API server.
 *
 * @module
 */
import type { Operation } from "./operation.ts";

const rate = ["X-RateLimit-Limit-Requests", "X-RateLimit-Remaining-Requests", "X-RateLimit-Reset-Requests"];
const store = ["broken_settings", "broken_record"];
const images = ["image_too_large", "image_unsupported", "image_damaged"];

function vision(
  path: string,
  id: string,
  summary: string,
  description: string,
  form: string,
  answer: string,
  errors: readonly string[],
): Operation {
  return {
    method: "post",
    path,
    id,
    tag: "vision",
    summary,
    description: `${description} For clients on the server's machine only. Files are kept for one hour.`,
    body: { content: { form }, required: true },
    answers: {
      200: {
        description: "What was found; files on the server's machine",
        content: { schema: answer },
        headers: ["X-Svc-Artifacts", ...rate],
      },
    },
    errors: {
      400: ["wrong_model_task", "unsupported_model", "unsupported_parameter", ...errors],
      404: ["model_not_found"],
      409: ["load_cancelled"],
      429: ["rate_limit_exceeded", "queue_full"],
      499: ["client_disconnected"],
      500: ["engine_crashed", "device_lost", ...store],
      503: ["model_unavailable", "model_invalid", "server_stopping", "model_device_unavailable"],
    },
  };
}

/** Every operation. */
export const visionOperations: readonly Operation[] = [
  vision(
    "/v1/vision/geometry",
    "geometry",
    "Finds depth, normals, points and the camera of an image",
    "In metres; x right, y down, z forward from the camera.",
    "GeometryForm",
    "Geometry",
    [...images, "image_too_thin", "too_many_tokens"],
  ),
  vision(
    "/v1/vision/geometry/multiview",
    "multiviewGeometry",
    "Finds depth and cameras of several views of a scene",
    "Views are the parts image and image[] in the order of the body. Cameras may be given as JSON, as a file or as text.",
    "MultiViewForm",
    "MultiViewGeometry",
    [...images, "view_count_invalid", "view_too_thin", "views_too_large"],
  ),
  vision(
    "/v1/vision/image-to-3d",
    "imageTo3d",
    "Makes a mesh of the object in an image",
    "The image has a transparent background, or is framed already.",
    "ImageTo3dForm",
    "ImageTo3d",
    [...images, "object_not_separable", "object_too_small", "surface_empty", "surface_too_large"],
  ),
  vision(
    "/v1/vision/image-to-3d-multiview",
    "viewsTo3d",
    "Makes a mesh of the object that four or six views show",
    "Views are square, in the order of the published rig unless cameras are given.",
    "ViewsTo3dForm",
    "ViewsTo3d",
    [...images, "view_count_invalid", "view_not_square", "surface_empty", "surface_too_large"],
  ),
  vision(
    "/v1/vision/depth-video",
    "depthVideo",
    "Finds the depth of every frame of a video",
    "Relative, or in metres with the metric model.",
    "DepthVideoForm",
    "DepthVideo",
    ["video_damaged", "video_decoder_missing", "video_too_large", "video_unsupported"],
  ),
  {
    method: "get",
    path: "/v1/vision/artifacts/{result}/{name}",
    id: "visionArtifact",
    tag: "vision",
    summary: "A file of a result",
    description:
      "For clients on the server's machine, as long as the result is kept. The header x-svc-artifacts of an answer has the " +
      "path without the name.",
    answers: {
      200: { description: "The file", content: { type: "*/*" } },
      206: { description: "The range", content: { type: "*/*" } },
      304: { description: "The file is what the client has" },
    },
    errors: { 404: ["artifact_not_found"], 416: ["range_not_satisfiable"] },
  },
];
