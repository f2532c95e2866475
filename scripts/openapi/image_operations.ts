/**
 * The image routes of a model API server.
 *
 * @module
 */
import type { JsonObject } from "./both_spellings.ts";
import { count, described, flag, integer, list, number, record, request, text, words } from "./json_schema.ts";
import type { Operation } from "./operation.ts";

const rate = ["X-RateLimit-Limit-Requests", "X-RateLimit-Remaining-Requests", "X-RateLimit-Reset-Requests"];
const decimal = { type: "string", pattern: "^[0-9]{1,20}$" };
const size = { type: "string", pattern: "^[0-9]+x[0-9]+$" };
const prompt = { type: "string", minLength: 1 };
const picture = { type: "string", format: "binary" };

const fields: Record<string, JsonObject> = {
  prompt,
  "model?": described(text, "Id, alias or path; the default when omitted, and for names of OpenAI's models"),
  "size?": described(
    { anyOf: [size, { const: "auto" }] },
    "Multiples of 16 up to 4096, at most 4194304 pixels; 1024x1024 when omitted",
  ),
  "n?": { const: 1 },
  "response_format?": words("b64_json", "url"),
  "seed?": described(
    { anyOf: [integer(0, Number.MAX_SAFE_INTEGER), decimal] },
    "Equal seeds give equal images on a device; up to 2^64 - 1 as text",
  ),
  "negative_prompt?": described(text, "Only models with a second pass take one"),
  "steps?": integer(1, 100, "The model's own number when omitted"),
  "guidance_scale?": { type: "number", minimum: 0, description: "The model's own when omitted" },
  "stream?": flag,
  "partial_images?": integer(0, 100, "Previews of a stream, after steps spread evenly"),
  "quality?": described(text, "Without effect"),
  "style?": described(text, "Without effect"),
  "user?": described(text, "Without effect"),
  "moderation?": described(text, "Without effect"),
  "background?": words("auto", "opaque"),
  "output_format?": { const: "png" },
  "output_compression?": { const: 100 },
};

const event = (type: string, more: Record<string, JsonObject>): JsonObject =>
  record({
    type: { const: type },
    b64_json: text,
    created_at: count,
    size,
    quality: { const: "auto" },
    background: { const: "opaque" },
    output_format: { const: "png" },
    ...more,
  });

/** Schemas of the requests and of what they are answered with. */
export const imageSchemas: Record<string, JsonObject> = {
  ImageRequest: request(fields),
  ImageForm: record({
    "image?": described(picture, "PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF; this or image[] is needed"),
    "image[]?": described(list(picture), "More pictures: the first one is edited, the others are references"),
    "mask?": described(picture, "Accepted; the model edits the whole image"),
    "strength?": number(0, 1, "How much of the first picture may change; a reference like the others when omitted"),
    ...fields,
    "input_fidelity?": described(text, "Refused"),
  }),
  Images: record({
    created: described(count, "Unix time in seconds"),
    data: list(record({
      "b64_json?": described(text, "The PNG, which carries prompt, seed and model as texts"),
      "url?": described(text, "A file:// URL on the server's machine, kept for an hour"),
      revised_prompt: text,
    })),
    size,
    output_format: { const: "png" },
    seed: described(decimal, "What makes the same image again"),
  }),
  ImagePartial: event("image_generation.partial_image", { partial_image_index: count }),
  ImageCompleted: event("image_generation.completed", { seed: decimal }),
  EditPartial: event("image_edit.partial_image", { partial_image_index: count }),
  EditCompleted: event("image_edit.completed", { seed: decimal }),
};

const errors = (...more: readonly string[]): NonNullable<Operation["errors"]> => ({
  400: [
    "wrong_model_task",
    "unsupported_model",
    "unsupported_parameter",
    "unsuitable_files",
    "invalid_id",
    "context_length_exceeded",
    ...more,
  ],
  403: ["path_not_allowed"],
  404: ["model_not_found"],
  409: ["load_cancelled"],
  429: ["rate_limit_exceeded", "queue_full"],
  499: ["client_disconnected"],
  500: ["engine_crashed", "broken_settings", "broken_record", "write_failed", "disk_full"],
  503: ["model_unavailable", "memory_pressure", "server_stopping"],
});

const stream = "With stream the answer is server-sent events: a preview after each of partial_images steps, then the " +
  "image; an error after the start is one data line with an Error. ";

/** `POST /v1/images/generations` and `/v1/images/edits`. */
export const imageOperations: readonly Operation[] = [
  {
    method: "post",
    path: "/v1/images/generations",
    id: "images",
    tag: "inference",
    summary: "Makes an image from a text",
    description: stream + "A field that the model cannot honour is refused by name.",
    body: { content: { schema: "ImageRequest" }, required: true },
    answers: {
      200: {
        description: "The image",
        content: [
          { schema: "Images" },
          {
            events: {
              "image_generation.partial_image": "ImagePartial",
              "image_generation.completed": "ImageCompleted",
            },
          },
        ],
        headers: rate,
      },
    },
    errors: errors(),
  },
  {
    method: "post",
    path: "/v1/images/edits",
    id: "imageEdits",
    tag: "inference",
    summary: "Makes an image from a text and pictures",
    description: stream + "Unknown and repeated parts are refused.",
    body: { content: { form: "ImageForm" }, required: true },
    answers: {
      200: {
        description: "The image",
        content: [
          { schema: "Images" },
          { events: { "image_edit.partial_image": "EditPartial", "image_edit.completed": "EditCompleted" } },
        ],
        headers: rate,
      },
    },
    errors: errors("image_damaged", "image_too_large", "image_unsupported"),
  },
];
