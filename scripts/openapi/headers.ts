import type { JsonObject } from "./both_spellings.ts";

/** A header that is always present. */
export function headerText(description: string, schema: JsonObject = {}): JsonObject {
  return { description, required: true, schema: { type: "string", ...schema } };
}

/** Headers of the answers of both servers. */
export const serverHeaders: Record<string, JsonObject> = {
  "X-Request-Id": headerText("The id of this request in the log"),
  Vary: headerText("The CORS headers depend on the origin"),
  "Cache-Control": headerText("Nothing is cached; a page is requested again each time", {
    enum: ["no-store", "no-cache"],
  }),
  "WWW-Authenticate": headerText("The expected scheme", { const: "Bearer" }),
  "Retry-After": headerText("Seconds after which to try again", { pattern: "^[0-9]+$" }),
  Allow: headerText("Methods of the path"),
};
