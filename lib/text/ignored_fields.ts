/**
 * Fields that are accepted without effect, to be told to the client.
 *
 * @module
 */
import { closestWord } from "../words/closest_word.ts";
import { show } from "../words/show.ts";
import { chatFieldNames } from "./chat_fields.ts";
import { messageFieldNames, normalRole } from "./message_fields.ts";
import { isRefusedField } from "./refused_fields.ts";

/** More would not fit into a response header. */
const MOST = 16;

/** One sentence for each field of a valid body that nothing reads, in ASCII. */
export function ignoredFields(body: Readonly<Record<string, unknown>>): string[] {
  const ignored = Object.keys(body).filter((name) => !chatFieldNames.includes(name) && !isRefusedField(name)).map((
    name,
  ) => sentence(name, name, chatFieldNames));
  (body.messages as Record<string, unknown>[]).forEach((message, i) => {
    const fields = messageFieldNames[normalRole(message.role) as keyof typeof messageFieldNames];
    for (const name of Object.keys(message)) {
      if (!fields.includes(name)) ignored.push(sentence(`messages[${i}].${name}`, name, fields));
    }
  });
  if (ignored.length <= MOST) return ignored;
  return [...ignored.slice(0, MOST), `Ignored ${ignored.length - MOST} more fields`];
}

function sentence(path: string, name: string, known: readonly string[]): string {
  const meant = closestWord(name, known);
  const text = `Ignored the field ${show(path)}: it is not known${meant ? `, did you mean "${meant}"?` : ""}`;
  return text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
