/**
 * OpenAI's Responses: chats as items and typed events, kept to be continued.
 *
 * @module
 */
import type { ModelApi } from "../service/mod.ts";
import { invalidField } from "../../errors/svc_error.ts";
import type { Route, RouteCall } from "../../http/router.ts";
import type { ChatRoutesOptions } from "./chat_routes.ts";
import { inferenceRoute, timingHeaders, warn } from "./inference_route.ts";
import { streamReply } from "./reply_stream.ts";

const PATH = "/v1/responses";

/** The routes of responses. */
export function responsesRoutes({ responses }: ModelApi, { limit, clock, onError }: ChatRoutesOptions): Route[] {
  return [
    inferenceRoute(PATH, limit, async (body, call) => {
      const { signal } = call.request;
      const { chat, stream, finish } = await responses.prepare(body);
      warn(call.headers, chat.request.warnings);
      if (chat.request.stream) {
        const options = {
          clock,
          signal,
          onError: (error: unknown, gone: boolean) => onError(error, call, gone),
          errorFrame: (error: Parameters<typeof stream.failed>[0]) => stream.failed(error),
        };
        return await streamReply(chat, stream, options, call.headers);
      }
      const reply = await chat.run({ onText: () => {}, onDraft: () => {} }, signal);
      warn(call.headers, reply.answer.warnings ?? []);
      return Response.json(finish(reply), { headers: timingHeaders(reply) });
    }),
    {
      method: "GET",
      path: `${PATH}/:id`,
      handle: ({ part }) => Response.json(responses.find(part("id")).response),
    },
    {
      method: "DELETE",
      path: `${PATH}/:id`,
      handle: ({ part }) => {
        responses.delete(part("id"));
        return Response.json({ id: part("id"), object: "response", deleted: true });
      },
    },
    { method: "GET", path: `${PATH}/:id/input_items`, handle: (call) => inputItems(call, responses) },
  ];
}

/** A page of the items of a request, the last one first unless `order` is `asc`. */
function inputItems({ request, part }: RouteCall, responses: ModelApi["responses"]): Response {
  const query = new URLSearchParams(request.url.replace(/^[^?]*\??/, "")); // the URL need not be valid
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") {
    throw invalidField("order", `Cannot list the items: "order" is ${JSON.stringify(order)}, expected asc or desc`);
  }
  const given = query.get("limit") ?? "20";
  const limit = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (limit < 1 || limit > 100) {
    throw invalidField("limit", `Cannot list the items: "limit" is ${JSON.stringify(given)}, expected 1 to 100`);
  }
  const { input } = responses.find(part("id"));
  const items = order === "asc" ? [...input] : input.toReversed();
  const after = query.get("after");
  const start = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0) {
    throw invalidField(
      "after",
      `Cannot list the items: "after" is ${JSON.stringify(after)}, expected the id of an item`,
    );
  }
  const data = items.slice(start, start + limit);
  const has_more = start + limit < items.length;
  return Response.json({
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more,
  });
}
