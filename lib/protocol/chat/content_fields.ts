/**
 * The content of messages: text, or parts.
 *
 * @module
 */
import * as v from "valibot";
import { refusing } from "../../errors/declared_members.ts";
import type { FieldRefusal } from "../../errors/field_refusal.ts";
import { listField } from "../../json/bounded_fields.ts";
import type { ContentPart, ImagePlace } from "./chat_request.ts";
import { isPathText, MAX_PATH_BYTES, PATH_EXPECTED } from "../../json/path_text.ts";

/** Parts of a message. */
const MAX_PARTS = 1024;

const contentExpected = `expected a string or an array of 1 to ${MAX_PARTS} parts`;
const text = v.string("expected a string");
const type = v.optional(v.unknown());

/** Members of parts that hold something else: each part has one thing. */
const otherParts = (own: string): FieldRefusal => ({
  field: new RegExp(
    `^(?!(?:${own})$)(text|refusal|(image|audio|video|file)(_(url|id|data))?|input_audio|(image|audio|video)s)$`,
  ),
  neutral: [""],
  remedy: "put it into a part of its own",
});

const textPart = v.pipe(
  refusing(v.object({ type, text }, "expected a part, such as { type, text }"), [otherParts("text")]),
  v.transform((part): ContentPart => ({ type: "text", text: part.text })),
);

const refusalPart = v.pipe(
  refusing(v.object({ type, refusal: text }), [otherParts("refusal")]),
  v.transform((part): ContentPart => ({ type: "text", text: part.refusal })),
);

const imageUrl = v.pipe(
  text,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const place = readImagePlace(dataset.value);
    if (typeof place !== "string") return place;
    addIssue({ message: place });
    return NEVER;
  }),
);
const detail = v.nullish(v.picklist(["auto", "low", "high"], "expected auto, low or high"));

/** How other servers scale an image. */
const scaling: FieldRefusal = {
  field: /^((min|max)_pixels|resized_(width|height)|resolution|max_(side|long_side_pixel|dynamic_patch)|crop|region)$/,
  remedy: "expected no such field: use detail",
};

const imageObject = refusing(v.object({ url: imageUrl, detail }, "expected an object with url"), [scaling]);

const imagePart = v.pipe(
  refusing(
    v.object({ type, image_url: v.lazy((value) => typeof value === "object" ? imageObject : imageUrl), detail }),
    [scaling, otherParts("image_url")],
  ),
  v.forward(
    v.check(
      ({ image_url: image, detail }) => "kind" in image || !detail || !image.detail || image.detail === detail,
      "expected the same as in image_url",
    ),
    ["detail"],
  ),
  v.transform(({ image_url: image, detail }): ContentPart => {
    const [place, own] = "kind" in image ? [image, undefined] : [image.url, image.detail];
    return { type: "image", image: { ...place, detail: own ?? detail ?? "auto" } };
  }),
);

/** Types of parts that hold text. */
export const textTypes: readonly string[] = ["text", "input_text", "output_text"];
const imageTypes = ["image_url", "input_image"];

/** A part of a known type; `types` are those that the message may have. */
function part(types: readonly string[]): v.GenericSchema<unknown, ContentPart> {
  const expected = `expected one of ${types.join(", ")}`;
  // For a part of another type only the invalid type is reported.
  const unknown = v.object(
    { type: v.pipe(v.string(expected), v.check(() => false, expected)) },
    "expected a part, such as { type, text }",
  ) as unknown as typeof textPart;
  return v.lazy((value) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (type === undefined && typeof value === "object" && value !== null && "text" in value) return textPart;
    if (typeof type !== "string" || !types.includes(type)) return unknown;
    return imageTypes.includes(type) ? imagePart : type === "refusal" ? refusalPart : textPart;
  }) as v.GenericSchema<unknown, ContentPart>;
}

/** Text of parts without images. */
function joinText(parts: ContentPart[]): string {
  return parts.map((item) => item.type === "text" ? item.text : "").join("\n");
}

function parts(types: readonly string[]): v.GenericSchema<unknown, ContentPart[]> {
  return v.pipe(
    listField(part(types), { min: 1, max: MAX_PARTS, expected: contentExpected }),
    v.check(
      (list) => list.filter((item) => item.type === "image").length <= 1,
      "expected at most one image in a message",
    ),
  ) as v.GenericSchema<unknown, ContentPart[]>;
}

/** Content without images: a string, or parts of `types`. */
export function textContent(types: readonly string[]): v.GenericSchema<unknown, string> {
  const list = v.pipe(parts(types), v.transform(joinText));
  return v.lazy((value) => Array.isArray(value) ? list : v.string(contentExpected));
}

const userParts = v.pipe(
  parts([...textTypes, ...imageTypes]),
  v.transform((list) => list.some((item) => item.type === "image") ? list : joinText(list)),
);
/** Content of a user message: text and at most one image. */
export const userContent: v.GenericSchema<unknown, string | ContentPart[]> = v.lazy((value) =>
  Array.isArray(value) ? userParts : v.string(contentExpected)
);

/** Longest file URL: a path whose bytes are all escaped. */
const MAX_URL = 3 * MAX_PATH_BYTES + 32;

/** Longest beginning of a data URL, up to its comma. */
const MAX_DATA_HEAD = 256;

/**
 * Parses the location of an image: a base64 data URL, a local `file:` URL, or a local path.
 *
 * @returns The reference, or what was expected instead. Nothing is fetched, opened or decoded.
 */
function readImagePlace(source: string): ImagePlace | string {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(source)?.[1].toLowerCase();
  if (scheme === "data") return readDataUrl(source);
  if (source === "" || source.includes("\0")) return "expected a path, a file URL or a data URL";
  if (scheme === undefined) return isPathText(source) ? { kind: "path", path: source } : PATH_EXPECTED;
  if (scheme !== "file") return "expected a path, a file URL or a data URL: remote images are not fetched";
  if (source.length > MAX_URL) return PATH_EXPECTED;
  if (!/^file:(\/\/(localhost)?)?\/(?!\/)/i.test(source) || !URL.canParse(source)) {
    return "expected a file URL of this machine, such as file:///tmp/image.png";
  }
  return { kind: "file_url", url: source };
}

function readDataUrl(source: string): ImagePlace | string {
  const comma = source.slice(0, MAX_DATA_HEAD).indexOf(",");
  const [mediaType, ...parameters] = source.slice("data:".length, Math.max(comma, 0)).toLowerCase().split(";");
  if (comma < 0 || !/^image\/[a-z0-9.+-]+$/.test(mediaType)) return "expected a data URL of an image";
  if (parameters.at(-1)?.trim() !== "base64") return "expected a data URL in base64";
  const base64 = source.slice(comma + 1);
  if (base64.length === 0 || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
    return "expected padded base64 after the comma";
  }
  return { kind: "data", mediaType, base64 };
}
