import { printable } from "../../lib/platform/terminal/terminal_text.ts";
import type { ModelRecord } from "../../lib/world/protocol/wire.ts";
import { progressBar, progressLines, type ProgressView, type WalkProgress } from "./walk_progress.ts";

/** Events of `svc world walk`: shown as text, or with `--json` as one line of JSON each. */
export type WalkEvent =
  | { readonly event: "server"; readonly url: string; readonly started: boolean }
  | { readonly event: "ready"; readonly model: ModelRecord }
  | {
    readonly event: "source";
    readonly image: string;
    readonly warning?: string;
    /** Of the model's own picture, where nothing says what this one shows. */
    readonly assumedPrompt?: string;
  }
  | ({ readonly event: "progress" } & WalkProgress)
  | WalkSaved
  | { readonly event: "cancelling" }
  | { readonly event: "failed"; readonly message: string; readonly code?: string };

/** The result of a successful walk. */
export interface WalkSaved {
  readonly event: "saved";
  readonly video: string;
  /** Absent when the video could not be decoded; `sheetProblem` then gives the reason and the remedy. */
  readonly sheet?: string;
  readonly sheetProblem?: string;
  readonly blocks: number;
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** What to do next, as text. */
  readonly next: string;
}

/** The output streams. */
export interface WalkOutput {
  /** Results. */
  readonly out: (line: string) => void;
  /** Progress and problems. */
  readonly err: (line: string) => void;
  /** Whether stderr is an interactive terminal. */
  readonly interactive: boolean;
}

/** Receives events; `end` restores the terminal. */
export interface WalkReport {
  emit(event: WalkEvent): void;
  end(): void;
}

/** One line of JSON per event, on stdout; progress only when a block is done. */
export function jsonReport(output: WalkOutput): WalkReport {
  let blocks = 0;
  return {
    emit: (event) => {
      if (event.event === "progress" && event.blocks === blocks) return;
      if (event.event === "progress") blocks = event.blocks;
      output.out(JSON.stringify(event));
    },
    end: () => {},
  };
}

/** Text, with a progress bar on an interactive terminal. */
export function wordReport(output: WalkOutput): WalkReport {
  let view: ProgressView | undefined;
  const end = (): void => {
    view?.stop();
    view = undefined;
  };
  return {
    emit: (event) => {
      if (event.event === "progress") {
        view ??= output.interactive ? progressBar() : progressLines(output.err);
        return view.update(event);
      }
      end();
      const write = event.event === "saved" ? output.out : output.err;
      for (const line of describe(event)) write(printable(line));
    },
    end,
  };
}

function describe(event: Exclude<WalkEvent, { event: "progress" }>): readonly string[] {
  switch (event.event) {
    case "server":
      return [
        event.started ? "Started a world server for this walk" : `Walking on the running server, page ${event.url}/`,
      ];
    case "ready":
      return [`World ${event.model.id} on ${event.model.device}, ${event.model.dtype}`];
    case "source":
      return [
        `Starting from ${event.image}`,
        ...event.warning === undefined ? [] : [`svc: ${event.warning}`],
        ...event.assumedPrompt === undefined ? [] : [
          `Prompt: ${event.assumedPrompt}; say with --prompt what the picture shows, what comes into view follows it`,
        ],
      ];
    case "cancelling":
      return ["Cancelling the walk; press Ctrl+C again to stop at once"];
    case "failed":
      return [event.message];
    case "saved":
      return describeSaved(event);
  }
}

function describeSaved(saved: WalkSaved): readonly string[] {
  const { video, sheet, blocks, frames, width, height, fps } = saved;
  const count = `${blocks} ${blocks === 1 ? "block" : "blocks"}, ${frames} frames`;
  return [
    `Saved ${video}: ${count} of ${width}x${height}, ${(frames / fps).toFixed(1)} s at ${fps} fps`,
    sheet === undefined ? `No contact sheet: ${saved.sheetProblem}` : `Saved ${sheet}: the start and each block's end`,
    `Next: ${saved.next}`,
  ];
}
