/**
 * `record_expected.ts FILE`: writes what ONNX Runtime gives for the larger operator cases.
 *
 * @module
 */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { openOnnxDevice } from "../../../lib/compute/onnx/onnx_device.ts";
import { largerCase, recordExpected } from "./larger_expected.ts";
import { largerCases } from "./operator_cases.ts";

const cpu = await openOnnxDevice();
writeFileSync(
  process.argv[2],
  await recordExpected(cpu, Object.entries(largerCases).map(([name, each]) => largerCase(name, each))),
);
cpu.dispose();
