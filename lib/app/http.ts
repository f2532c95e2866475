/**
 * The servers as functions from request to response, and the typed client of the world server.
 *
 * @module
 */
export * from "../http/access_policy.ts";
export * from "../api/http/api_app.ts";
export type * from "../world/client/client_options.ts";
export type { WorldPage } from "../world/http/page_routes.ts";
export type { AnswerRecord } from "../http/router.ts";
export * from "../world/client/world_api_error.ts";
export * from "../world/http/world_app.ts";
export * from "../world/client/world_client.ts";
