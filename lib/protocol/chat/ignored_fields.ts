/**
 * Fields that are accepted without effect and reported to the client.
 *
 * @module
 */
import { type IgnoredField, ignoredSentences } from "../../errors/field_refusal.ts";
import { chatFieldNames } from "./chat_fields.ts";
import { messageFieldNames, normalRole } from "./message_fields.ts";
import { isRefusedField } from "./refused_fields.ts";

/** A sentence for each ignored field of a valid body, in ASCII. */
export function ignoredFields(body: Readonly<Record<string, unknown>>): string[] {
  const ignored: IgnoredField[] = Object.keys(body)
    .filter((name) => !chatFieldNames.includes(name) && !isRefusedField(name))
    .map((name) => ({ path: name, name, known: chatFieldNames }));
  (body.messages as Record<string, unknown>[]).forEach((message, i) => {
    const known = messageFieldNames[normalRole(message.role) as keyof typeof messageFieldNames];
    for (const name of Object.keys(message)) {
      if (!known.includes(name)) ignored.push({ path: `messages[${i}].${name}`, name, known });
    }
  });
  return ignoredSentences(ignored);
}
