/**
 * The fields of image requests and their bounds, sizes as `WIDTHxHEIGHT` among them. Null counts as omitted.
 *
 * @module
 */
import * as v from "valibot";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { isPathText, MAX_PATH_BYTES } from "../../json/path_text.ts";

/** How an answer carries its image. */
export type ImageFormat = "b64_json" | "url";

/** What both routes take. */
export interface ImageFields {
  /** Id or alias of a model, a path or a name of another interface; none for the default model. */
  readonly model: string | undefined;
  readonly prompt: string;
  readonly size: ImagePixels;
  readonly format: ImageFormat;
  /** Chosen by the server where the client gives none. */
  readonly seed: bigint | undefined;
  readonly negativePrompt: string | undefined;
  readonly steps: number | undefined;
  readonly guidanceScale: number | undefined;
  /** How much of the first picture may change; edits only. */
  readonly strength: number | undefined;
  readonly stream: boolean;
  /** Previews that a stream has before its image. */
  readonly partialImages: number;
}

/** Most previews of a stream: one after each step. */
const MAX_PARTIAL_IMAGES = 100;

const modelExpected = `expected the id of a model, of at most ${MAX_PATH_BYTES} bytes`;
const model = v.pipe(
  v.string(modelExpected),
  v.check((name) => isPathText(name) && name.trim() !== "", modelExpected),
);

const promptExpected = "expected text that is not blank";
// The limit of a prompt is the model's, in tokens.
const text = v.string(promptExpected);
const prompt = v.pipe(text, v.check((value) => value.trim() !== "", promptExpected));

const seedExpected = "expected a whole number from 0 to 2^53 - 1, or one up to 2^64 - 1 as text";
const seed = v.pipe(
  v.custom<number | string>((value) => typeof value === "number" || typeof value === "string", seedExpected),
  v.check((value) => typeof value === "string" ? /^\d{1,20}$/.test(value) : Number.isSafeInteger(value), seedExpected),
  v.transform((value) => BigInt(value)),
  v.check((value: bigint) => value >= 0n && value < 2n ** 64n, seedExpected),
);

function integer(min: number, max: number) {
  const expected = `expected an integer from ${min} to ${max}`;
  return v.pipe(v.number(expected), v.integer(expected), v.minValue(min, expected), v.maxValue(max, expected));
}

const strengthExpected = "expected a number from 0 to 1";
const guidanceExpected = "expected a finite number from 0 on";
const formats: readonly ImageFormat[] = ["b64_json", "url"];
const formatExpected = `expected one of ${formats.join(", ")}`;
const context = v.optional(v.unknown());

/** Width and height in pixels. */
export interface ImagePixels {
  readonly width: number;
  readonly height: number;
}

/** The size where none is asked for. */
const DEFAULT_IMAGE_SIZE: ImagePixels = { width: 1024, height: 1024 };

/** Most pixels of a side. */
export const MAX_IMAGE_SIDE = 4096;

/** Most pixels of an image. */
const MAX_IMAGE_AREA = 4_194_304;

/** Sides are multiples of this. */
const IMAGE_SIDE_STEP = 16;

const format = 'expected WIDTHxHEIGHT, such as "1024x1024", or "auto"';
const side = `expected sides of at most ${MAX_IMAGE_SIDE} pixels`;
const area = `expected at most ${MAX_IMAGE_AREA} pixels`;
const step = `expected sides that are multiples of ${IMAGE_SIDE_STEP}, from ${IMAGE_SIDE_STEP} on`;

/** Checks in this order: the format, each side, the area, multiples of 16. */
const imageSizeField: v.GenericSchema<unknown, ImagePixels> = v.pipe(
  v.nullish(v.string(format), "auto"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const text = dataset.value.trim().toLowerCase();
    if (text === "auto") return DEFAULT_IMAGE_SIZE;
    // Nine digits are exact numbers; more are too large whatever they are.
    const [, width, height] = (/^0*(\d{1,9})x0*(\d{1,9})$/.exec(text) ?? []).map(Number);
    const wrong = (message: string): never => {
      addIssue({ message });
      return NEVER;
    };
    if (width === undefined) return wrong(format);
    if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) return wrong(side);
    if (width * height > MAX_IMAGE_AREA) return wrong(area);
    const fits = (n: number): boolean => n >= IMAGE_SIDE_STEP && n % IMAGE_SIDE_STEP === 0;
    return fits(width) && fits(height) ? { width, height } : wrong(step);
  }),
);

const entries = {
  model: v.nullish(model),
  prompt,
  size: imageSizeField,
  n: v.nullish(v.pipe(v.number("expected 1"), v.value(1, "expected 1: send one request for each image"))),
  response_format: v.nullish(
    v.pipe(
      v.string(formatExpected),
      v.check((value) => formats.includes(value as ImageFormat), formatExpected),
      v.transform((value) => value as ImageFormat),
    ),
    "b64_json" as const,
  ),
  seed: v.nullish(seed),
  negative_prompt: v.nullish(text),
  steps: v.nullish(integer(1, 100)),
  guidance_scale: v.nullish(
    v.pipe(v.number(guidanceExpected), v.finite(guidanceExpected), v.minValue(0, guidanceExpected)),
  ),
  stream: v.nullish(v.boolean("expected true or false"), false),
  partial_images: v.nullish(integer(0, MAX_PARTIAL_IMAGES), 0),
  // Accepted without effect.
  quality: context,
  style: context,
  user: context,
  moderation: context,
};

const strength = v.nullish(
  v.pipe(v.number(strengthExpected), v.minValue(0, strengthExpected), v.maxValue(1, strengthExpected)),
);

function schema() {
  return v.pipe(
    v.object({ ...entries, strength }),
    v.forward(
      v.check(
        ({ stream, response_format }) => !stream || response_format === "b64_json",
        "expected b64_json: the events of a stream carry their images",
      ),
      ["response_format"],
    ),
    v.transform((fields): ImageFields => ({
      model: fields.model ?? undefined,
      prompt: fields.prompt,
      size: fields.size,
      format: fields.response_format,
      seed: fields.seed ?? undefined,
      negativePrompt: fields.negative_prompt?.trim() ? fields.negative_prompt : undefined,
      steps: fields.steps ?? undefined,
      guidanceScale: fields.guidance_scale ?? undefined,
      strength: fields.strength ?? undefined,
      stream: fields.stream,
      partialImages: fields.partial_images,
    })),
  );
}

/** The fields of both routes. */
export const imageFields: v.GenericSchema<unknown, ImageFields> = schema();

/** Names of the fields of a generation; an edit has `strength` besides. */
export const imageFieldNames: readonly string[] = Object.keys(entries);

const leaveOut = "expected no such field";

/** Fields of other servers that would change the image. */
export const imageRefusals: readonly FieldRefusal[] = [
  { field: "background", neutral: ["auto", "opaque"], remedy: 'expected "opaque": images have no transparency' },
  { field: "output_format", neutral: ["png"], remedy: 'expected "png"' },
  { field: "output_compression", neutral: [100], remedy: "expected 100: PNG loses nothing" },
  { field: "input_fidelity", remedy: leaveOut },
  { field: /^(width|height|aspect_ratio|resolution)$/, remedy: "use size instead" },
  { field: /^(num_inference_steps|num_steps|sample_steps)$/, remedy: "use steps instead" },
  { field: /^(cfg_scale|cfg|guidance|true_cfg_scale)$/, remedy: "use guidance_scale instead" },
  { field: /^(num_images|batch_size|num_images_per_prompt)$/, neutral: [1], remedy: "expected 1" },
  { field: /^(sampler|sampler_name|sample_method|scheduler|clip_skip|loras?|controlnet\w*)$/, remedy: leaveOut },
  { field: "denoising_strength", remedy: "use strength instead" },
];

/** Sentences for known fields that have no effect, in ASCII. */
export function imageFieldWarnings(body: Readonly<Record<string, unknown>>): string[] {
  const plain = ["", "auto", "standard"];
  return ["quality", "style"]
    .filter((name) => body[name] !== undefined && body[name] !== null && !plain.includes(body[name] as string))
    .map((name) =>
      `Ignored the field "${name}": the model has one quality and no styles of its own, use steps or the prompt`
    );
}
