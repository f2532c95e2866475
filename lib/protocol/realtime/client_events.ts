/**
 * The events that clients of a realtime session send.
 *
 * @module
 */
import * as v from "valibot";
import { otherMembers, refusing } from "../../errors/declared_members.ts";
import { describeIssue } from "../../errors/field_refusal.ts";
import { show } from "../../errors/show.ts";
import { invalidIssue, invalidRequest, SvcError } from "../../errors/svc_error.ts";
import { isObject } from "../../json/json_text.ts";
import { notArray, variants } from "../chat/variants.ts";
import { inputItems, itemField, type RealtimeVersion } from "./realtime_items.ts";
import {
  betaResponseFields,
  betaSessionFields,
  responseFields,
  responseRefusals,
  sessionFields,
} from "./session_fields.ts";

type Wire = Readonly<Record<string, unknown>>;

/** An event of a client that was read. */
export type ClientEvent =
  & { readonly event_id?: string | null }
  & (
    | { readonly type: "session.update"; readonly session: Wire }
    | { readonly type: "input_audio_buffer.append"; readonly audio: string }
    | { readonly type: "input_audio_buffer.commit" | "input_audio_buffer.clear" }
    | { readonly type: "conversation.item.create"; readonly item: Wire; readonly previous_item_id?: string | null }
    | { readonly type: "conversation.item.retrieve" | "conversation.item.delete"; readonly item_id: string }
    | {
      readonly type: "conversation.item.truncate";
      readonly item_id: string;
      readonly content_index: number;
      readonly audio_end_ms: number;
    }
    | { readonly type: "response.create"; readonly response?: Wire | null }
    | { readonly type: "response.cancel"; readonly response_id?: string | null }
  );

const text = v.string("expected a string");
const idExpected = "expected a string of at most 512 characters";
const eventId = v.nullish(v.pipe(v.string(idExpected), v.maxLength(512, idExpected)));
const wholeExpected = "expected an integer from 0";
const whole = v.pipe(v.number(wholeExpected), v.integer(wholeExpected), v.minValue(0, wholeExpected));

function events(version: RealtimeVersion): v.GenericSchema {
  const event = (members: v.ObjectEntries = {}) => v.object({ type: text, event_id: eventId, ...members });
  const single = { ...version === "ga" ? responseFields : betaResponseFields, input: inputItems };
  const response = refusing(v.object(single, "expected an object"), responseRefusals);
  return variants(
    {
      "session.update": event({
        session: notArray(version === "ga" ? sessionFields : betaSessionFields, "expected an object"),
      }),
      "input_audio_buffer.append": event({ audio: text }),
      "input_audio_buffer.commit": event(),
      "input_audio_buffer.clear": event(),
      "conversation.item.create": event({ item: itemField, previous_item_id: v.nullish(text) }),
      "conversation.item.retrieve": event({ item_id: text }),
      "conversation.item.truncate": event({ item_id: text, content_index: whole, audio_end_ms: whole }),
      "conversation.item.delete": event({ item_id: text }),
      "response.create": event({ response: v.nullish(notArray(response, "expected an object")) }),
      "response.cancel": event({ response_id: v.nullish(text) }),
    },
    "an event",
    {
      "output_audio_buffer.clear": "sound is buffered by clients of WebSockets: stop playing it",
      "transcription_session.update": "use /v1/audio/transcriptions",
    },
  );
}

const schemas = { ga: events("ga"), beta: events("beta") };

/**
 * Reads an event.
 *
 * @throws {SvcError} `invalid_json`, and for a type, a field or a value that is not one, with its path.
 */
export function readClientEvent(value: unknown, version: RealtimeVersion): ClientEvent {
  if (!isObject(value)) {
    throw invalidRequest("invalid_json", `Cannot ${ACTION}: it is ${show(value)}, expected a JSON object`);
  }
  const schema = schemas[version];
  const result = v.safeParse(schema, value);
  if (!result.success) throw invalidIssue(describeIssue(ACTION, value, result.issues));
  const { refused, ignored } = otherMembers(schema, value);
  if (refused) {
    throw invalidRequest("unsupported_parameter", `Cannot ${ACTION}: ${refused.reason}`, refused.path);
  }
  const [unknown] = ignored;
  if (unknown !== undefined) {
    const message = `Cannot ${ACTION}: ${show(unknown.path)} is not a field of ${value.type}, leave it out`;
    throw new SvcError("unknown_field", message, { param: unknown.path });
  }
  return value as ClientEvent;
}

const ACTION = "read the event";

/** The id that a client has given an event, as far as it can be read. */
export function eventIdOf(value: unknown): string | null {
  const id = isObject(value) ? value.event_id : undefined;
  return typeof id === "string" ? id.slice(0, 512) : null;
}
