/**
 * What a model API is given.
 *
 * @module
 */
import type { ModelCatalog } from "../../store/catalog/installed_model.ts";
import type { ApiRuntimeOptions } from "./api_runtime.ts";
import type { ReadImage } from "./chat_images.ts";
import type { ImageFiles } from "./images/image_request.ts";
import type { OpenLocalModel } from "./model_directory.ts";
import type { RunKind, RunRecorder } from "./run_recorder.ts";
import type { ProcessStatus } from "./runtime_report.ts";
import type { ArtifactStore, UploadInspector } from "./vision/vision_files.ts";

/** Options of a model API. */
export interface ModelApiOptions extends Omit<ApiRuntimeOptions, "directory"> {
  readonly catalog: ModelCatalog;
  /** The server's limit of prompt and answer together, in tokens. */
  readonly contextSize: number;
  /** Reads images that messages name by path. */
  readonly readImage: ReadImage;
  /** Id of the model that the server was started with: the default of its kind. */
  readonly startupModel?: string | undefined;
  /** Reads models that requests on lanes name by path. */
  readonly openLocalModel?: OpenLocalModel;
  /** Refuses files that are not sound. */
  readonly checkSound?: (path: string) => Promise<void>;
  /** What keeps records of operations; none are kept without it. */
  readonly records?: Readonly<Record<RunKind, RunRecorder | undefined>>;
  /** Uploads and results of the vision routes, which need both. */
  readonly vision?: { readonly files: UploadInspector; readonly artifacts: ArtifactStore } | undefined;
  /** Uploads and results of the image routes, which need them. */
  readonly images?: ImageFiles | undefined;
  readonly process: () => ProcessStatus;
}
