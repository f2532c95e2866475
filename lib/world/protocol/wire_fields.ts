/**
 * Schemas of values that occur in many wire records.
 *
 * @module
 */
import * as v from "valibot";
import type { WorldPose } from "./pose.ts";
import type { Wire } from "../../json/wire_form.ts";

type Triple = readonly [number, number, number];

/** A UUID in lower case. */
export const idField: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.uuid());

/** A time: ISO-8601, UTC, milliseconds. */
export const timeField: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.isoTimestamp());

/** A count. */
export const countField: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A count of at least 1. */
export const positiveCountField: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A number between 0 and 1. */
export const fractionField: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** A number of at least 0. */
export const distanceField: v.GenericSchema<unknown, number> = v.pipe(v.number(), v.minValue(0));

/** A path of this server at which media are fetched. */
export const mediaPathField: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.startsWith("/v1/world/"));

/** A seed as requested. */
export const seedRecordField: v.GenericSchema<unknown, number | string> = v.pipe(
  v.union([v.pipe(v.number(), v.safeInteger(), v.minValue(0)), v.pipe(v.string(), v.regex(/^\d{1,20}$/))]),
  v.description("A string when it is beyond 2^53 - 1"),
);

/** Three numbers. */
export const tripleField: v.GenericSchema<unknown, Triple> = v.strictTuple([v.number(), v.number(), v.number()]);

/** A camera pose. */
export const poseSchema: v.GenericSchema<unknown, Wire<WorldPose>> = v.pipe(
  v.strictObject({ world_to_camera: v.pipe(v.array(v.number()), v.length(16)) }),
  v.description("Row-major 4x4 world-to-camera matrix, rigid; axes right, down and forward"),
);
