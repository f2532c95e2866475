/**
 * The servers as functions from request to response, and the typed client of the world server.
 *
 * @module
 */
export * from "./access_policy.ts";
export * from "./api_app.ts";
export type * from "./client_options.ts";
export type { WorldPage } from "./page_routes.ts";
export type { AnswerRecord } from "./router.ts";
export * from "./world_api_error.ts";
export * from "./world_app.ts";
export * from "./world_client.ts";
