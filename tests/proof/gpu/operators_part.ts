/**
 * Every operator case on the GPU against the CPU, in 32 and in 16 bits: small ones and attention against the 64-bit
 * reference, and larger ones that fill tiles against ONNX Runtime. The larger ones and attention once more with portable
 * tiles where the card has matrices.
 *
 * @module
 */
import type { Precision } from "../../../lib/compute/tensor/mod.ts";
import { attentionCases, attentionProgram, isOfPrecision } from "../../support/attention_cases.ts";
import { opCases } from "../../support/op_cases.ts";
import { evaluate } from "../../support/reference_ops.ts";
import { CaseTally } from "./case_tally.ts";
import {
  computedExpected,
  type Expected,
  type LargerCase,
  largerCase,
  openRecorded,
  recordedExpected,
} from "./larger_expected.ts";
import { hasMatrices, openGpu } from "./open_gpu.ts";
import { largerCases } from "./operator_cases.ts";
import { log, runPart, SMALL } from "./part.ts";

/** Largest difference that is allowed, as a share of the largest number: those of the tests. */
const TOLERANCE: Record<Precision, number> = { f32: 5e-6, f16: 4e-3 };

/** What a rehearsal takes of the larger ones and of attention: a software adapter compiles each of them for seconds. */
const REHEARSED = /^a product at odd sizes$|norms of long|4-bit layer in tiles|^odd widths$|^a causal bias$|^batches$/;

const VARIANTS: readonly { name: string; precision: Precision; portable?: boolean }[] = [
  { name: "f32", precision: "f32" },
  { name: "f16", precision: "f16" },
  { name: "f16 without matrices", precision: "f16", portable: true },
];

await runPart("operators", async (results) => {
  const small = opCases();
  const isRun = ([name]: readonly [string, unknown]) => !SMALL || REHEARSED.test(name);
  const larger = Object.entries(largerCases).filter(isRun);
  const attended = Object.entries(attentionCases).filter(isRun);
  const expectedOf = await openExpected();
  const known = new Map<string, Promise<Expected>>();
  let failures = 0;
  for (const { name, precision, portable = false } of VARIANTS) {
    const opened = await openGpu({ precision, portable });
    if (typeof opened === "string" || portable && !await opensMatrices(precision)) {
      results.set(name, { skipped: typeof opened === "string" ? opened : "the device has no matrices anyway" });
      if (typeof opened !== "string") opened.device.dispose();
      continue;
    }
    const { device, tiles } = opened;
    const tally = new CaseTally(name, TOLERANCE[precision]);
    const note = () => results.set(name, { tiles, tolerance: TOLERANCE[precision], ...tally.summary() });
    const attentions = attended.filter(([, each]) => isOfPrecision(each, precision))
      .map(([caseName, each]) => ({ name: `attention: ${caseName}`, ...attentionProgram(each, precision) }));
    for (const each of [...portable ? [] : small, ...attentions]) {
      await tally.compare(device, each, () => Promise.resolve(referenceExpected(each)));
      note();
    }
    for (const [caseName, shapes] of larger) {
      const each = largerCase(caseName, shapes);
      await tally.compare(device, each, () => {
        if (!known.has(caseName)) known.set(caseName, expectedOf(each));
        return known.get(caseName)!;
      });
      note();
    }
    device.dispose();
    failures += tally.failed.length;
    log(
      `${name}, ${tiles}: ${tally.cases - tally.failed.length} of ${tally.cases} as on the CPU, worst ${tally.worst}`,
    );
  }
  if (failures > 0) throw new Error(`${failures} cases differ from the CPU`);
});

/** In 64 bits. */
function referenceExpected({ graph, feeds }: LargerCase): Expected {
  const { data } = evaluate(graph, feeds).y;
  return { indices: data.map((_, i) => i), values: data, size: data.length };
}

async function opensMatrices(precision: Precision): Promise<boolean> {
  const opened = await openGpu({ precision });
  if (typeof opened === "string") return false;
  opened.device.dispose();
  return hasMatrices(opened.tiles);
}

async function openExpected(): Promise<(each: LargerCase) => Promise<Expected>> {
  const recorded = await openRecorded(new URL("./larger_expected.safetensors", import.meta.url));
  if (recorded) return ({ name }) => recordedExpected(recorded, name);
  const { openOnnxDevice } = await import("../../../lib/compute/onnx/onnx_device.ts");
  const cpu = await openOnnxDevice();
  return (each) => computedExpected(cpu, each);
}
