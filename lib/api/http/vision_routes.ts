/**
 * The routes of geometry, depth and objects. They answer with files of the server's machine, so that only clients there
 * may ask.
 *
 * @module
 */
import { type ModelApi, visionActions, visionPaths, type VisionRoute } from "../service/mod.ts";
import { notFound, SvcError } from "../../errors/svc_error.ts";
import { show } from "../../errors/show.ts";
import { fileResponse, type ServedFile } from "../../http/file_response.ts";
import { isLoopback } from "../../http/access_policy.ts";
import type { FormRules } from "../../http/multipart/form_rules.ts";
import type { Route } from "../../http/router.ts";
import { warn } from "./inference_route.ts";
import { type UploadOptions, uploadRoute } from "./upload_route.ts";

/** Where clients fetch the files of an answer. */
export const ARTIFACTS_PATH = "/v1/vision/artifacts";

const MIB = 2 ** 20;
const images = { types: ["image/"] };
const json = { types: ["application/json", "text/json", "+json"] };
const one = {};

/** What the form of each route may hold; values are checked by the service. */
export const visionRules: Readonly<Record<VisionRoute, FormRules>> = {
  geometry: {
    action: visionActions.geometry,
    maxBytes: 100 * MIB,
    texts: { model: one, resolution_level: one, token_count: one, max_points: one },
    files: { image: images },
  },
  multiview: {
    action: visionActions.multiview,
    maxBytes: 512 * MIB,
    texts: {
      ...{ model: one, process_resolution: one, reference_view: one, confidence_percentile: one, max_points: one },
      cameras: one,
    },
    files: { image: { ...images, max: 16 }, "image[]": { ...images, max: 16 }, cameras: json },
  },
  imageTo3d: {
    action: visionActions.imageTo3d,
    maxBytes: 100 * MIB,
    texts: {
      ...{ model: one, resolution: one, density_threshold: one, foreground_ratio: one, already_framed: one },
      vertex_colors: one,
    },
    files: { image: images },
  },
  viewsTo3d: {
    action: visionActions.viewsTo3d,
    maxBytes: 512 * MIB,
    texts: { model: one, resolution: one, vertex_colors: one, cameras: one },
    files: { image: { ...images, max: 6 }, "image[]": { ...images, max: 6 } },
  },
  depthVideo: {
    action: visionActions.depthVideo,
    maxBytes: 512 * MIB,
    texts: { model: one, input_size: one, max_frames: one },
    files: { video: { types: ["video/"] } },
  },
};

/** Opens a file of the server's machine; undefined when it is gone. */
export type OpenServedFile = (path: string) => Promise<ServedFile | undefined>;

/** The five routes, and the one that gives out their files. */
export function visionRoutes(api: ModelApi, uploads: UploadOptions, openFile: OpenServedFile): Route[] {
  const routes = (Object.keys(visionRules) as VisionRoute[]).map((route) => {
    return uploadRoute(visionPaths[route], { ...visionRules[route], localOnly: true }, uploads, async (call) => {
      const prepared = await api.vision(route, call.form);
      warn(call.headers, prepared.warnings);
      const { id, answer } = await prepared.run(`${call.folder}/results`, call.request.signal);
      call.headers.set("x-svc-artifacts", `${ARTIFACTS_PATH}/${id}`);
      return Response.json(answer);
    });
  });
  return [...routes, {
    method: "GET",
    path: `${ARTIFACTS_PATH}/:id/:name{.+}`,
    handle: async ({ request, peer, part }) => {
      if (!isLoopback(peer)) {
        throw new SvcError("peer_not_allowed", "Cannot send the file: it is for clients on the server's machine");
      }
      const found = api.visionFile(part("id"), part("name"));
      const file = found && await openFile(found.path);
      if (found && file) return fileResponse(request, file, found.mediaType);
      const message = `Cannot find the file ${show(part("name"))}: results are kept for one hour, ask for it again`;
      throw notFound("artifact_not_found", message);
    },
  }];
}
