/**
 * The vision routes without HTTP: checks a form and its files, plans memory, runs the model, keeps the files.
 *
 * @module
 */
import type { Operation } from "../../../engines/contract/operation.ts";
import type { NetworkSizes } from "../../../engines/contract/model_profile.ts";
import {
  findGeometry,
  findVideoDepth,
  makeObject,
  reconstructObject,
  relateViews,
  type VisionOrder,
  type VisionOutcome,
} from "../../../engines/vision/vision_operations.ts";
import { aboutUpload, invalidRequest, notFound, SvcError } from "../../../errors/svc_error.ts";
import { show } from "../../../errors/show.ts";
import type { Clock } from "../../../scheduling/mod.ts";
import type { InstalledModel } from "../../../store/catalog/installed_model.ts";
import type { ApiRuntime } from "../api_runtime.ts";
import type { ModelDirectory } from "../model_directory.ts";
import { readKnownCameras, readPoses } from "./camera_fields.ts";
import {
  checkpointFacts,
  chooseManaged,
  type ManagedModel,
  managedModels,
  sourceFacts,
  weightsOf,
} from "./managed_models.ts";
import {
  type ArtifactStore,
  checkImages,
  checkSources,
  MULTIVIEW_SOURCES,
  type UploadInspector,
  type VisionForm,
  type VisionUpload,
} from "./vision_files.ts";
import { outcomeFiles, type VisionAnswer, visionAnswer } from "./vision_answer.ts";
import {
  readDepthVideoFields,
  readGeometryFields,
  readImageTo3dFields,
  readMultiViewFields,
  readViewsTo3dFields,
  visionActions,
  type VisionRoute,
} from "./vision_fields.ts";
import { TEST_PREFIX, testWarnings } from "../../../store/catalog/test_model.ts";

/** What the service depends on. */
export interface VisionServiceOptions {
  readonly directory: ModelDirectory;
  readonly runtime: ApiRuntime;
  readonly clock: Clock;
  readonly files: UploadInspector;
  readonly artifacts: ArtifactStore;
}

/** A request that has passed all validation that needs no model. */
export interface PreparedVision {
  /** What has no effect, one sentence each. */
  readonly warnings: readonly string[];
  /**
   * Waits for a slot and for the model, and answers.
   *
   * @param folder A private folder for the files of the result.
   * @throws {SvcError} for every reason of the pool, and for images and videos that cannot be decoded.
   * @throws the reason of `signal` when it aborts.
   */
  run(folder: string, signal: AbortSignal): Promise<KeptVision>;
}

/** A result whose files are kept. */
export interface KeptVision {
  /** Names the result in the store of results. */
  readonly id: string;
  readonly answer: VisionAnswer;
  readonly outcome: VisionOutcome;
}

/** The keys of the single files of each answer, and what it is called. */
const answers = {
  geometry: ["vision.geometry", { manifest: "manifest_url" }],
  multiview: ["vision.geometry.multiview", { manifest: "manifest" }],
  imageTo3d: ["vision.image-to-3d", { manifest: "manifest", companion: "mesh_manifest" }],
  viewsTo3d: ["vision.image-to-3d-multiview", { manifest: "manifest", companion: "mesh_manifest" }],
  depthVideo: ["vision.depth-video", { manifest: "manifest", companion: "review" }],
} as const;

/** Answers requests of the vision routes. */
export class VisionService {
  readonly #options: VisionServiceOptions;

  constructor(options: VisionServiceOptions) {
    this.#options = options;
  }

  /**
   * Checks a request: fields, files by their headers, the model, and whether all of it is within the bounds.
   *
   * @throws {SvcError} 400 for every reason, 404 for a model that is not installed.
   */
  prepare(route: VisionRoute, form: VisionForm): Promise<PreparedVision> {
    switch (route) {
      case "geometry":
        return this.#geometry(form);
      case "multiview":
        return this.#multiview(form);
      case "imageTo3d":
        return this.#imageTo3d(form);
      case "viewsTo3d":
        return this.#viewsTo3d(form);
      case "depthVideo":
        return this.#depthVideo(form);
    }
  }

  async #geometry(form: VisionForm): Promise<PreparedVision> {
    const action = visionActions.geometry;
    const fields = readGeometryFields(form);
    const managed = chooseManaged(action, fields.model, [managedModels.geometry], true);
    const [upload] = uploads(action, form, "image", 1);
    const [image] = await checkImages(action, [upload], this.#options.files);
    const { model, network } = await this.#find(managed, action);
    const { geometryBytes, tokensOfLevel } = await import("../../../engines/vision/plan_vision.ts");
    const tokens = fields.token_count ?? tokensOfLevel(fields.resolution_level);
    return this.#prepared("geometry", model, findGeometry, {
      ...order(model, managed, geometryBytes(network, image, tokens)),
      ...{ image: upload.path, tokens, maxPoints: fields.max_points },
    });
  }

  async #multiview(form: VisionForm): Promise<PreparedVision> {
    const action = visionActions.multiview;
    const fields = readMultiViewFields(form);
    const managed = chooseManaged(action, fields.model, [managedModels.multiview]);
    const images = uploads(action, form, "image", 16);
    const sizes = await checkImages(action, images, this.#options.files);
    checkSources(action, sizes, MULTIVIEW_SOURCES);
    const { cameras, warnings } = await readKnownCameras(action, form, sizes, this.#options.files) ?? {};
    const { checkCameras, multiViewBytes } = await import("../../../engines/vision/plan_vision.ts");
    if (cameras) checkCameras(cameras, images.length);
    const { model, network } = await this.#find(managed, action);
    return this.#prepared("multiview", model, relateViews, {
      ...order(model, managed, multiViewBytes(network, sizes, fields.process_resolution)),
      images: images.map(({ path }) => path),
      resolution: fields.process_resolution,
      reference: fields.reference_view,
      confidencePercentile: fields.confidence_percentile,
      maxPoints: fields.max_points,
      cameras,
    }, warnings);
  }

  async #imageTo3d(form: VisionForm): Promise<PreparedVision> {
    const action = visionActions.imageTo3d;
    const fields = readImageTo3dFields(form);
    const managed = chooseManaged(action, fields.model, [managedModels.imageTo3d]);
    const [upload] = uploads(action, form, "image", 1);
    const [image] = await checkImages(action, [upload], this.#options.files);
    const { model, network } = await this.#find(managed, action);
    const { objectBytes } = await import("../../../engines/vision/plan_vision.ts");
    return this.#prepared("imageTo3d", model, makeObject, {
      ...await objectOrder(model, managed, objectBytes(network, image, fields.resolution)),
      image: upload.path,
      resolution: fields.resolution,
      densityThreshold: fields.density_threshold,
      foregroundRatio: fields.already_framed ? undefined : fields.foreground_ratio,
      vertexColours: fields.vertex_colors,
    });
  }

  async #viewsTo3d(form: VisionForm): Promise<PreparedVision> {
    const action = visionActions.viewsTo3d;
    const fields = readViewsTo3dFields(form);
    const managed = chooseManaged(action, fields.model, [managedModels.viewsTo3d]);
    const images = uploads(action, form, "image", 6);
    const sizes = await checkImages(action, images, this.#options.files);
    const { cameras, warnings } = await readPoses(action, form, images.length, this.#options.files) ?? {};
    const { checkedCameras, objectViewsBytes } = await import("../../../engines/vision/plan_vision.ts");
    checkedCameras(sizes, cameras);
    const { model, network } = await this.#find(managed, action);
    return this.#prepared("viewsTo3d", model, reconstructObject, {
      ...await objectOrder(model, managed, objectViewsBytes(network, sizes, fields.resolution)),
      images: images.map(({ path }) => path),
      resolution: fields.resolution,
      vertexColours: fields.vertex_colors,
      cameras,
    }, warnings);
  }

  async #depthVideo(form: VisionForm): Promise<PreparedVision> {
    const action = visionActions.depthVideo;
    const fields = readDepthVideoFields(form);
    const { depthVideo, metricDepthVideo } = managedModels;
    const managed = chooseManaged(action, fields.model, [depthVideo, metricDepthVideo]);
    const [upload] = uploads(action, form, "video", 1);
    const clip = await this.#options.files.videoFacts(upload.path, fields.max_frames).catch((error) => {
      throw aboutUpload(error, "video");
    });
    const { model, network } = await this.#find(managed, action);
    const { depthVideoBytes } = await import("../../../engines/vision/plan_vision.ts");
    return this.#prepared("depthVideo", model, findVideoDepth, {
      ...order(model, managed, depthVideoBytes(network, clip, fields.input_size)),
      checkpoint: {
        checkpoint_format: "verified-converted-safetensors",
        checkpoint_sha256: weightsOf(model).sha256,
      },
      video: upload.path,
      inputSize: fields.input_size,
      maxFrames: fields.max_frames,
      metric: managed.id === metricDepthVideo.id,
    });
  }

  async #find(
    { id, kind, engines }: ManagedModel,
    action: string,
  ): Promise<{ readonly model: InstalledModel; readonly network: NetworkSizes }> {
    const { directory } = this.#options;
    const { model, profile } = await directory.find(id, kind, action).catch(async (error) => {
      if (!(error instanceof SvcError) || error.code !== "model_not_found") throw error;
      const standIn = await directory.find(TEST_PREFIX + id, kind, action).catch(() => undefined);
      if (standIn?.model.test) return standIn;
      // Another model of a similar name is never meant.
      const message = `Cannot ${action}: the model ${id} is not installed, run svc model pull ${id}`;
      throw notFound("model_not_found", message, "model");
    });
    if (engines.includes(profile.engine)) return { model, network: profile.network };
    const message =
      `Cannot ${action}: the model ${show(id)} runs on ${profile.engine}, expected ${engines.join(" or ")}; ` +
      "install the model of this id again";
    throw invalidRequest("unsupported_model", message, "model");
  }

  #prepared<O extends VisionOrder>(
    route: VisionRoute,
    model: InstalledModel,
    operation: Operation<O, never, VisionOutcome>,
    input: O,
    warnings: readonly string[] = [],
  ): PreparedVision {
    const { runtime, clock, artifacts } = this.#options;
    const [object, named] = answers[route];
    return {
      warnings: [...warnings, ...testWarnings(model)],
      run: async (folder, signal) => {
        const outcome = await runtime.perform({ model, operation, input, folder }, signal).catch((error) => {
          throw aboutUpload(error, route === "depthVideo" ? "video" : "image");
        });
        signal.throwIfAborted();
        const kept = await artifacts.keep(folder, outcomeFiles(outcome));
        const created = Math.floor(clock.now() / 1000);
        return { id: kept.id, answer: visionAnswer(object, created, outcome, kept, named), outcome };
      },
    };
  }
}

/** What all orders have. */
function order(model: InstalledModel, managed: ManagedModel, workBytes: number): VisionOrder {
  return { model: model.id, checkpoint: checkpointFacts(model, managed), workBytes };
}

/** What orders for objects have: the contract lists where the weights come from. */
async function objectOrder(model: InstalledModel, managed: ManagedModel, workBytes: number): Promise<VisionOrder> {
  const made = order(model, managed, workBytes);
  const { source_sha256, source_manifest_sha256 } = await sourceFacts(model);
  const views = managed.id === managedModels.viewsTo3d.id ? { source_manifest_sha256 } : {};
  return { ...made, checkpoint: { ...made.checkpoint, source_sha256, ...views } };
}

/** The files of a field and of its other spelling, `image` and `image[]`, in the order of the body. */
function uploads(action: string, { files }: VisionForm, field: string, most: number): readonly VisionUpload[] {
  const found = files.filter((file) => file.field === field || file.field === `${field}[]`);
  if (found.length === 0) throw invalidRequest("missing_field", `Cannot ${action}: "${field}" is missing`, field);
  if (found.length <= most) return found;
  throw new SvcError(
    "view_count_invalid",
    `Cannot ${action}: there are ${found.length} images, expected at most ${most}`,
    {
      param: field,
    },
  );
}
