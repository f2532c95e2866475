/**
 * The names in the image of a session as a journal has them: records that go over the wire are written as they do, with
 * snake_case names, and everything else as it is.
 *
 * @module
 */
import { memberName, wireName } from "../../../json/wire_form.ts";

/** Where a value is: in a session's image, in a record of the wire there, or anywhere else. */
export type Place = "image" | "wire" | "elsewhere";

/** Fields of an image whose values are records of the wire. */
const RECORDS: ReadonlySet<string> = new Set(["jobs", "record", "camera", "replayReceipt", "request"]);

/** Fields of an image with the wire's names, which are those of a state. */
const STATE: ReadonlySet<string> = new Set(["stateId", "parentStateId", "transitionIndex"]);

/** Where the value of a field is, by the name of the field. */
export function placeWithin(place: Place, field: string): Place {
  if (place === "elsewhere") return field === "session" ? "image" : place;
  return RECORDS.has(field) ? "wire" : place;
}

/** The name that a field has in a journal. */
export function writtenName(place: Place, field: string): string {
  return place === "wire" || place === "image" && STATE.has(field) ? wireName(field) : field;
}

/** An image that was read, with the names that it has in memory; an object that many others name stays one object. */
export function withMemberNames(image: unknown): unknown {
  const known = new Map<object, unknown>();
  const read = (value: unknown, place: Place): unknown => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    if (Array.isArray(value)) return value.map((item) => read(item, place));
    const before = known.get(value);
    if (before !== undefined) return before;
    const fields = Object.entries(value).map(([name, field]) => {
      const member = memberName(name);
      const isRenamed = place === "wire" || STATE.has(member);
      return [isRenamed ? member : name, read(field, placeWithin(place, name))];
    });
    const made = Object.fromEntries(fields);
    known.set(value, made);
    return made;
  };
  return read(image, "image");
}
