import { toJsonSchemaDefs } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { checkpointBodySchema } from "../../lib/world/session/graph/checkpoints.ts";
import {
  cameraSchema,
  chunkEventSchema,
  chunkSchema,
  errorObjectSchema,
  jobProgressSchema,
  jobSchema,
  rolloutReceiptSchema,
  transitionReceiptSchema,
} from "../../lib/world/protocol/job_schemas.ts";
import { pictureBodySchema, resetBodySchema } from "../../lib/world/protocol/requests/start_requests.ts";
import { rolloutBodySchema } from "../../lib/world/protocol/requests/rollout_request.ts";
import { transitionBodySchema } from "../../lib/world/protocol/requests/clip_request.ts";
import { worldBodySchema, worldListSchema, worldSchema } from "../../lib/world/protocol/world_record.ts";
import { walkSchema } from "../../lib/world/protocol/walk_schema.ts";
import { poseSchema } from "../../lib/world/protocol/wire_fields.ts";
import {
  checkpointSchema,
  healthSchema,
  modelRecordSchema,
  sceneMemoryPolicySchema,
  snapshotSchema,
  startCheckSchema,
  startSchema,
  stateSchema,
} from "../../lib/world/protocol/wire_schemas.ts";
import { bothSpellings, type JsonObject } from "./both_spellings.ts";

const records: Record<string, v.GenericSchema> = {
  WorldHealth: healthSchema,
  WorldSnapshot: snapshotSchema,
  StateRecord: stateSchema,
  SceneMemoryPolicy: sceneMemoryPolicySchema,
  ModelRecord: modelRecordSchema,
  WorldPose: poseSchema,
  JobRecord: jobSchema,
  JobProgress: jobProgressSchema,
  ChunkRecord: chunkSchema,
  ChunkEvent: chunkEventSchema,
  CameraRecord: cameraSchema,
  TransitionReceipt: transitionReceiptSchema,
  RolloutReceipt: rolloutReceiptSchema,
  CheckpointRecord: checkpointSchema,
  WalkRecord: walkSchema,
  WorldStart: startSchema,
  StartCheck: startCheckSchema,
  WorldRecord: worldSchema,
  WorldList: worldListSchema,
  ErrorObject: errorObjectSchema,
};

const bodies: Record<string, v.GenericSchema> = {
  TransitionRequest: transitionBodySchema,
  RolloutRequest: rolloutBodySchema,
  ResetRequest: resetBodySchema,
  CheckpointRequest: checkpointBodySchema,
  WorldRequest: worldBodySchema,
  PictureRequest: pictureBodySchema,
};

/** Rules that JSON Schema cannot express; the schemas carry the others as metadata. */
const unsaid = ["check", "finite", "to_lower_case", "trim"];

/** The schemas of the document's components, made from those that the server reads and answers with. */
export function componentSchemas(): Record<string, JsonObject> {
  const config = { target: "draft-2020-12", typeMode: "input", ignoreActions: unsaid } as const;
  const overrideRef = ({ referenceId }: { referenceId: string }): string => `#/components/schemas/${referenceId}`;
  const answers = toJsonSchemaDefs(records, { ...config, overrideRef });
  const requests = Object.entries(toJsonSchemaDefs(bodies, config)).map(([name, schema]) => {
    return [name, bothSpellings(name === "TransitionRequest" ? withoutDefaults(schema) : schema as JsonObject)];
  });
  return {
    ...answers as Record<string, JsonObject>,
    ...Object.fromEntries(requests) as Record<string, JsonObject>,
    Error: {
      type: "object",
      properties: { error: { $ref: "#/components/schemas/ErrorObject" } },
      required: ["error"],
      additionalProperties: false,
    },
  };
}

/** Defaults of omitted fields depend on the kind of world model: the operation lists them. */
function withoutDefaults(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema, (key, value) => key === "default" ? undefined : value));
}
