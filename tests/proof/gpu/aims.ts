/**
 * What is aimed at on an H100, beside what was measured. Speeds are compared with PyTorch in bf16 on the same card.
 *
 * @module
 */
import type { ProofSummary } from "./report.ts";

/** One aim. */
export interface Aim {
  readonly what: string;
  readonly aim: string;
  /** What was measured, or why not. */
  readonly found: string;
  /** Undefined where it was not measured. */
  readonly met?: boolean;
}

/** A row of the part `speed`. */
export interface SpeedRow {
  readonly group: string;
  readonly id: string;
  readonly precision: string;
  readonly tiles: string;
  readonly ms?: number;
  readonly tflops?: number;
  readonly ofPeak?: number;
  readonly gbps?: number;
  readonly error?: number;
  readonly problem?: string;
}

/** PyTorch's time for a row, in another precision if wanted. */
export function pytorchMs(
  { parts }: ProofSummary,
  row: SpeedRow,
  precision: string = row.precision,
): number | undefined {
  const group = row.group.replace(/, [48] bits$/, "");
  return parts.pytorch?.operators?.[`${precision} ${group}: ${row.id}`];
}

/** Speed beside PyTorch's (1 is as fast) of each shape of an operator as it is shipped, in 16 bits. */
export function speedsOf(summary: ProofSummary, group: string): number[] {
  const rows: SpeedRow[] = summary.parts.speed?.rows ?? [];
  const [first] = rows.filter((row) => row.precision === "f16");
  return rows.filter((row) => row.group === group && row.precision === "f16" && row.tiles === first.tiles)
    .flatMap((row) => {
      const theirs = pytorchMs(summary, row, "bf16") ?? pytorchMs(summary, row);
      return theirs && row.ms ? [theirs / row.ms] : [];
    });
}

/** Milliseconds of a block of a 5B world: five passes in a row and the decoder. */
export function blockMs({ parts: { pass, decoder } }: ProofSummary): number | undefined {
  const { passesMs, passes } = pass?.layers30 ?? {};
  const decode = decoder?.block?.ms;
  return passesMs && decode ? passesMs / passes * 5 + decode : undefined;
}

/** The same of PyTorch. */
function pytorchBlockMs({ parts: { pytorch } }: ProofSummary): number | undefined {
  const pass = pytorch?.pass?.graphMs ?? pytorch?.pass?.ms;
  return pass && pytorch.decoder?.ms ? 5 * pass + pytorch.decoder.ms : undefined;
}

/** All aims of an H100. */
export function aimsOf(summary: ProofSummary): Aim[] {
  const beside = (what: string, group: string, aim: number): Aim => {
    const speeds = speedsOf(summary, group);
    const wanted = `${aim} of PyTorch's speed`;
    if (speeds.length === 0) return { what, aim: wanted, found: "not measured" };
    const least = Math.min(...speeds);
    const found = `${least.toFixed(2)} to ${Math.max(...speeds).toFixed(2)} over ${speeds.length} shapes`;
    return { what, aim: wanted, found, met: least >= aim };
  };
  const ours = blockMs(summary);
  const theirs = pytorchBlockMs(summary);
  const frames: number | undefined = summary.parts.embedded_world?.f16?.framesPerSecond;
  return [
    beside("products", "linear", 0.5),
    beside("convolutions", "conv3d", 0.4),
    beside("attention", "attention", 0.4),
    ours && theirs
      ? {
        what: "a 5B block at 512x320",
        aim: "1.5 times PyTorch's time",
        found: `${(ours / theirs).toFixed(2)} times (${ours.toFixed(0)} and ${theirs.toFixed(0)} ms)`,
        met: ours / theirs <= 1.5,
      }
      : { what: "a 5B block at 512x320", aim: "1.5 times PyTorch's time", found: "not measured" },
    frames
      ? { what: "corridor-nano", aim: "300 frames/s", found: `${frames.toFixed(0)} frames/s`, met: frames > 300 }
      : { what: "corridor-nano", aim: "300 frames/s", found: "not measured" },
    ours
      ? {
        what: "first chunk of a warm 5B move: five passes and the decoder, without the video encoder",
        aim: "1 s",
        found: `${(ours / 1000).toFixed(2)} s`,
        met: ours < 1000,
      }
      : { what: "first chunk of a warm 5B move", aim: "1 s", found: "not measured" },
  ];
}
