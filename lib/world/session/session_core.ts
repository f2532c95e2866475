/**
 * What the parts of a session share.
 *
 * @module
 */
import { MAX_IMAGE_BYTES } from "../../media/images/image_format.ts";
import type { RgbImage } from "../../media/images/rgb_image.ts";
import { artifactNames, ArtifactNumbers, OwnFiles } from "./artifacts.ts";
import { Navigation } from "./graph/navigation.ts";
import { stateAtSource } from "./graph/session_state.ts";
import type { SessionKeeper } from "./journal/session_keeper.ts";
import type { GraphImage } from "./journal/session_image.ts";
import { KeptFiles } from "./kept_files.ts";
import { JobRegistry } from "./moves/job_registry.ts";
import { OperationGuard } from "./operation_guard.ts";
import { SessionEvents } from "./session_events.ts";
import { SessionModel } from "./session_model.ts";
import { sessionLimits, type SettledLimits, type WorldSessionOptions } from "./session_options.ts";
import type { JobRecord } from "../protocol/job_record.ts";

/** One session's graph, model, files and jobs, and how all of it is written down together. */
export class SessionCore {
  /** What the session works with: its files are those of {@linkcode files}, and each limit has a number. */
  readonly options: WorldSessionOptions & SettledLimits;
  readonly id: string;
  readonly files: KeptFiles;
  readonly jobs: JobRegistry = new JobRegistry();
  readonly numbers: ArtifactNumbers;
  readonly navigation: Navigation;
  readonly guard: OperationGuard = new OperationGuard();
  readonly model: SessionModel;
  readonly events: SessionEvents;
  readonly keeper: SessionKeeper | undefined;

  constructor(options: WorldSessionOptions) {
    const { keeper } = options;
    const limits = sessionLimits(options);
    const restored = keeper?.restored;
    this.keeper = keeper;
    const made = restored?.lastNumber ?? options.lastNumber;
    this.files = new KeptFiles({
      files: options.files,
      limit: limits.keepFiles,
      made,
      own: keeper?.own ?? new OwnFiles(),
      needed: () => this.navigation.neededFiles(),
    });
    this.options = { ...options, ...limits, files: this.files };
    this.id = restored?.sessionId ?? options.newId();
    this.numbers = new ArtifactNumbers(() => options.files.list(), made);
    this.jobs.restore(restored?.jobs ?? []);
    const { model } = options.backend;
    const save = keeper && ((graph: GraphImage) => this.save(graph));
    this.navigation = new Navigation({ limits, files: this.files, model, save, restored: restored?.graph });
    this.events = new SessionEvents(restored ? options.newId() : this.id); // numbers of notices start over
    this.model = new SessionModel({ ...options, model, onPhase: () => this.events.notify({ event: "snapshot" }) });
  }

  /** The number of a file that is not of a move; the journal has it before the file is written. */
  async nextNumber(kind: "source" | "checkpoint" | "walk"): Promise<number> {
    const number = await this.numbers.next();
    await (this.keeper ? this.keeper.makes(kind, number) : this.options.onFiles?.(kind, number));
    return number;
  }

  /**
   * Writes down what the session is about to become.
   *
   * @param ending The record of the job that ends with it.
   */
  async save(graph: GraphImage, ending?: JobRecord): Promise<void> {
    const jobs = this.keeper ? this.jobs.ended(ending) : [];
    await this.keeper?.save({ sessionId: this.id, graph, jobs, lastNumber: this.numbers.last });
    await this.keeper?.prune(graph);
  }

  /** Writes the record of the last job down: all that is new of one that failed, and a disk that is full cannot take it. */
  noteEnd(): void {
    const graph = this.navigation.image();
    const change = { sessionId: this.id, graph, jobs: this.jobs.ended(), lastNumber: this.numbers.last };
    void this.keeper?.save(change).catch(() => {});
  }

  /** Reads a picture from where a client may point at one. */
  async readSource(path: string): Promise<RgbImage> {
    const { media, files } = this.options;
    return await media.decodeImage(await files.readClientFile(path, MAX_IMAGE_BYTES));
  }

  /** Leaves the world for a new one that begins with a picture. */
  async startAt(image: RgbImage): Promise<void> {
    this.files.protectFromNow();
    const path = this.files.statePath(artifactNames(await this.nextNumber("source")).source);
    await this.files.writeNew(path, await this.options.media.encodePng(image));
    await this.navigation.leaveFor(stateAtSource(this.options.newId(), { image, path }));
  }
}
