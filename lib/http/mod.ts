/**
 * The world server as a function from request to response, and its typed client.
 *
 * @module
 */
export * from "./access_policy.ts";
export type * from "./client_options.ts";
export type { WorldPage } from "./page_routes.ts";
export type { AnswerRecord } from "./router.ts";
export * from "./world_api_error.ts";
export * from "./world_app.ts";
export * from "./world_client.ts";
