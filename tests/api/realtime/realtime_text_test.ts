import assert from "node:assert/strict";
import { test } from "node:test";
import { withRealtime } from "../../support/realtime_client.ts";

const say = (text: string) => ({
  type: "conversation.item.create",
  item: { type: "message", role: "user", content: [{ type: "input_text", text }] },
});

test("a text conversation has the events of the general version", () =>
  withRealtime({}, async ({ connect, h }) => {
    const client = connect();
    const { session } = await client.next("session.created");
    assert.equal(session.type, "realtime");
    assert.equal(session.model, "chat-a");
    assert.deepEqual(session.output_modalities, ["text"]);
    client.send({ type: "session.update", session: { type: "realtime", instructions: "Be brief." } });
    assert.equal((await client.next("session.updated")).session.instructions, "Be brief.");
    client.send(say("Hi"));
    const { item } = await client.next("conversation.item.done");
    assert.deepEqual(item.content, [{ type: "input_text", text: "Hi" }]);
    client.send({ type: "response.create" });
    const events = await client.upTo("response.done");
    assert.deepEqual(events.map(({ type }) => type), [
      "response.created",
      "rate_limits.updated",
      "response.output_item.added",
      "conversation.item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "conversation.item.done",
      "response.output_item.done",
      "response.done",
    ]);
    const { response } = events.at(-1)!;
    assert.equal(response.status, "completed");
    assert.equal(response.output[0].content[0].text, "Hello there");
    assert.deepEqual(response.usage.input_token_details.cached_tokens, 3);
    const { request } = h.chats.get("chat-a")!.calls[0];
    assert.deepEqual(request.messages.map(({ role, content }) => [role, content]), [
      ["system", "Be brief."],
      ["user", "Hi"],
    ]);
  }));
