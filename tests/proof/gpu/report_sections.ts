/**
 * What each part of a GPU proof found, as sections of the report.
 *
 * @module
 */
import { pytorchMs, type SpeedRow } from "./aims.ts";
import type { Findings, ProofSummary } from "./report.ts";
import { section, table } from "./report_tables.ts";

const fixed = (value: unknown, digits = 1): string =>
  typeof value === "number" && Number.isFinite(value)
    ? value.toFixed(digits)
    : value === undefined
    ? ""
    : String(value);
const share = (value: unknown): string => typeof value === "number" ? `${(100 * value).toFixed(1)} %` : "";
const gigabytes = (bytes: unknown): string => typeof bytes === "number" ? (bytes / 1e9).toFixed(2) : "";
const power = (value: unknown): string => value === undefined ? "" : Number(value).toExponential(1);

/** What the adapter offers, and the cost of everyday things. */
export function adapterSection(adapter: Findings | undefined): string {
  if (!adapter?.features) return "";
  const limits = ["maxBufferSize", "maxStorageBufferBindingSize", "maxComputeWorkgroupStorageSize"];
  return section(
    "Adapter",
    table(["", ""], [
      ["vendor, architecture, device", `${adapter.about.vendor} ${adapter.about.architecture} ${adapter.about.device}`],
      ["subgroups", `${adapter.about.subgroupMinSize} to ${adapter.about.subgroupMaxSize}`],
      ["subgroup matrices", adapter.matrices.join(", ") || "none"],
      ["not offered", adapter.missing.join(", ") || "nothing that svc uses"],
      ...limits.map((name) => [name, String(adapter.limits[name])]),
      ...(adapter.devices ?? []).map((d: Findings) => [
        `device in ${d.precision}`,
        d.problem ??
          `${d.label}${d.tiles.reason ? ` (${d.tiles.reason})` : ""}, opened in ${fixed(d.ms, 0)} ms${
            d.right === undefined ? "" : `, WRONG PRODUCTS: ${d.right}`
          }`,
      ]),
      ["a run, with its result read, ms", `${fixed(adapter.runMs, 3)}, ${fixed(adapter.runAndReadMs, 3)}`],
      [
        "upload from f32 and f16, read, GB/s",
        [adapter.uploadGBps?.f32, adapter.uploadGBps?.f16, adapter.readGBps].map((v) => fixed(v, 2)).join(", "),
      ],
    ]),
  );
}

/** Differences to the CPU by variant and by operator. */
export function operatorsSection(operators: Findings | undefined): string {
  const variants = Object.entries(operators ?? {}).filter(([, v]) => v?.kinds || v?.skipped);
  if (variants.length === 0) return "";
  const measured = variants.filter(([, v]) => v.kinds);
  const kinds = [...new Set(measured.flatMap(([, v]) => v.kinds.map((k: Findings) => k.kind as string)))].sort();
  return section(
    "Operators against the CPU",
    table(
      ["", "tiles", "passed", "allowed", "worst", "failed"],
      variants.map(([name, v]) =>
        v.skipped ? [name, "", "", "", "", `skipped: ${v.skipped}`] : [
          name,
          v.tiles,
          `${v.cases - v.failed.length} of ${v.cases}`,
          power(v.tolerance),
          v.worst,
          v.failed.slice(0, 6).join("; "),
        ]
      ),
    ),
    table(
      ["largest difference", ...measured.map(([name]) => name)],
      kinds.map((
        kind,
      ) => [kind, ...measured.map(([, v]) => power(v.kinds.find((k: Findings) => k.kind === kind)?.error))]),
    ),
  );
}

/** Goldens by precision. */
export function goldensSection(goldens: Findings | undefined): string {
  const rows = (["f32", "f16"] as const).filter((precision) => goldens?.[precision]).map((precision) => {
    const { skipped, PASS, FAIL, SKIP, left, failed = [] } = goldens![precision];
    return skipped
      ? [precision, "", "", "", "", skipped]
      : [precision, PASS, FAIL, SKIP, left, failed.join(", ")].map(String);
  });
  return section(
    "Goldens",
    table(["", "passed", "outside", "skipped", "not reached", "outside of their tolerance"], rows),
  );
}

/** Speeds beside the peak of the card and beside PyTorch. */
export function speedSection(summary: ProofSummary): string {
  const { speed, pytorch } = summary.parts;
  if (!speed?.rows) return "";
  const peaks = speed.peaks
    ? `${speed.peaks.half} TFLOP/s in 16 bits, ${speed.peaks.single} in 32, ${speed.peaks.bandwidth} GB/s`
    : "not listed";
  return section(
    "Operators at the shapes of DreamX-World-5B",
    `Peak of the card by its data sheet: ${peaks}. PyTorch ${
      pytorch?.version ?? "was not here"
    }: the same operator in the same precision (bf16 in brackets); the ratio is its time by ours.\n`,
    table(
      ["operator", "shape", "floats", "tiles", "ms", "TFLOP/s", "of peak", "GB/s", "PyTorch, ms", "ratio", "off by"],
      speed.rows.map((row: SpeedRow) => {
        const [same, bf16] = [
          pytorchMs(summary, row),
          row.precision === "f16" ? pytorchMs(summary, row, "bf16") : undefined,
        ];
        const best = same ?? bf16;
        return [
          ...[
            row.group,
            row.id,
            row.precision,
            row.tiles,
            row.problem ?? fixed(row.ms, 3),
            fixed(row.tflops),
            share(row.ofPeak),
          ],
          fixed(row.gbps, 0),
          [fixed(same, 3), bf16 === undefined ? "" : `(${fixed(bf16, 3)})`].join(" ").trim(),
          ...[best && row.ms ? `${(best / row.ms).toFixed(2)}x` : "", power(row.error)],
        ];
      }),
    ),
    checksTable(speed.rows, speed.checked ?? []),
  );
}

/** What Dawn's checks of indices and zeroed workgroup memory cost. */
function checksTable(rows: readonly SpeedRow[], checked: readonly SpeedRow[]): string {
  return table(
    ["what Dawn's checks cost", "shape", "floats", "tiles", "without, ms", "with, ms", "times"],
    checked.map((row) => {
      const same = (other: SpeedRow) =>
        (["group", "id", "precision", "tiles"] as const).every((key) => other[key] === row[key]);
      const without = rows.find(same)?.ms;
      const times = without && row.ms ? (row.ms / without).toFixed(2) : "";
      return [row.group, row.id, row.precision, row.tiles, fixed(without, 3), row.problem ?? fixed(row.ms, 3), times];
    }),
  );
}

/** A pass and the decoder of a 5B world, with their memory. */
export function passSection({ pass, decoder, pytorch }: Findings): string {
  const worlds = pass?.worlds;
  const shared = worlds && !worlds.problem
    ? `Passes of ${worlds.worlds} worlds together (${worlds.layers} layers): ${fixed(worlds.joinedMs)} ms, ` +
      `${fixed(worlds.gain, 2)} passes in the time of one (${fixed(worlds.expectedGain, 2)} expected); ` +
      `${worlds.same ? "each bit for bit what it is alone" : "NOT what each is alone"}; ` +
      `${worlds.shared > 1 ? `up to ${worlds.shared} worlds share` : "worlds do not share"} passes at this size.`
    : "";
  const layers = [pass?.layers1, pass?.layers30].filter((p) => p);
  const block = decoder?.block;
  return section(
    "DreamX-World-5B's shape at 512x320, random weights",
    table(
      [
        "",
        "ms",
        "first, ms",
        "TFLOP",
        "TFLOP/s",
        "of peak",
        "load, s",
        "planned, GB",
        "allocated, GB",
        "most, GB",
        "numbers",
      ],
      [
        ...layers.map((p) =>
          p.problem ? [p.problem] : [
            ...[
              `a pass of ${p.layers} layers, ${p.precision}, ${p.tiles}`,
              fixed(p.ms),
              fixed(p.firstMs),
              fixed(p.tflop, 3),
            ],
            ...[
              fixed(p.tflops),
              share(p.ofPeak),
              fixed(p.loadMs / 1000),
              gigabytes(p.plannedBytes),
              gigabytes(p.programBytes),
            ],
            ...[gigabytes(p.peakBytes), p.finite ? "finite" : "NOT FINITE"],
          ]
        ),
        ...(block
          ? [[
            ...[
              `decoding ${block.frames} frames, ${block.precision}, ${block.tiles}`,
              fixed(block.ms),
              fixed(block.firstMs),
            ],
            ...[
              fixed(block.tflop, 3),
              fixed(block.tflops),
              "",
              fixed(block.loadMs / 1000),
              "",
              "",
              gigabytes(block.peakBytes),
            ],
            block.finite ? "finite" : "NOT FINITE",
          ]]
          : []),
        ...(pytorch?.pass ? [["a pass in PyTorch, bf16", fixed(pytorch.pass.ms)]] : []),
        ...(pytorch?.pass?.graphMs ? [["a pass in PyTorch, bf16, as a CUDA graph", fixed(pytorch.pass.graphMs)]] : []),
        ...(pytorch?.decoder ? [["decoding in PyTorch, bf16", fixed(pytorch.decoder.ms)]] : []),
      ],
    ),
    shared,
    ...[1, 30].filter((n) => Array.isArray(pass?.[`kernels${n}`])).map((n) =>
      table(
        [`kernels of a pass of ${pass[`layers${n}`].layers} layers`, "dispatches", "ms"],
        pass[`kernels${n}`].map((k: Findings) => [k.kernel, String(k.dispatches), fixed(k.ms, 2)]),
      )
    ),
  );
}

/** The embedded world. */
export function worldSection({ embedded_world: world, pytorch }: Findings): string {
  const columns: [string, Findings | undefined][] = [
    ["svc f16", world?.f16],
    ["svc f32", world?.f32],
    ["PyTorch f16", pytorch?.embedded_world?.f16],
    ["PyTorch f32", pytorch?.embedded_world?.f32],
  ];
  const known = columns.filter(([, times]) => times?.block);
  if (known.length === 0) return "";
  return section(
    "corridor-nano",
    table(
      ["ms", ...known.map(([name]) => name)],
      ["encode", "pass", "sample", "decode", "block"].map((
        part,
      ) => [part, ...known.map(([, times]) => fixed(times![part], 2))]),
    ),
    table(
      ["frames/s", ...known.map(([name]) => name)],
      [["12 frames a block", ...known.map(([, times]) => fixed(12000 / times!.block))]],
    ),
  );
}

/** A layer and the decoder at full width. */
export function fullWidthSection(fullWidth: Findings | undefined): string {
  const rows = Object.entries(fullWidth ?? {}).filter(([, v]) => v?.off !== undefined);
  return section(
    "Full width against PyTorch's recorded numbers",
    table(
      ["", "tiles", "largest difference", "allowed", "as a share of the"],
      rows.map(([name, v]) => [name, v.tiles, power(v.off), power(v.tolerance), v.of]),
    ),
  );
}

/** Runs that were cancelled. */
export function cancelSection(cancel: Findings | undefined): string {
  return section(
    "Cancelling",
    table(
      ["at", "outcome", "run ended after, ms", "GPU idle after, ms", "later results"],
      (cancel?.rows ?? []).map((
        r: Findings,
      ) => [share(r.share), r.outcome, fixed(r.endedMs, 0), fixed(r.idleMs, 0), r.same ? "the same" : "DIFFERENT"]),
    ),
  );
}
