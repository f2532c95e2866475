/**
 * Fields that are accepted without effect, to be told to the client.
 *
 * @module
 */
import { headerSentences, ignoredField } from "../words/field_refusal.ts";
import { chatFieldNames } from "./chat_fields.ts";
import { messageFieldNames, normalRole } from "./message_fields.ts";
import { isRefusedField } from "./refused_fields.ts";

/** One sentence for each field of a valid body that nothing reads, in ASCII. */
export function ignoredFields(body: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(body).filter((name) => !chatFieldNames.includes(name) && !isRefusedField(name));
  const ignored = names.map((name) => ignoredField(name, name, chatFieldNames));
  (body.messages as Record<string, unknown>[]).forEach((message, i) => {
    const fields = messageFieldNames[normalRole(message.role) as keyof typeof messageFieldNames];
    for (const name of Object.keys(message)) {
      if (!fields.includes(name)) ignored.push(ignoredField(`messages[${i}].${name}`, name, fields));
    }
  });
  return headerSentences(ignored);
}
