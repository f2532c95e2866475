import type { Operation } from "./operation.ts";

/** Both servers say whether they take requests. */
export const readyOperation: Operation = {
  method: "get",
  path: "/ready",
  id: "ready",
  tag: "server",
  summary: "Whether load balancers should send requests here",
  description: "Needs no token. 503 while the server cannot take requests; the body says `ready` in both cases.",
  open: true,
  answers: { 200: { description: "It takes requests", content: { type: "application/json" } } },
};

/** Both servers describe themselves. */
export const documentOperation: Operation = {
  method: "get",
  path: "/openapi.json",
  id: "openapi",
  tag: "server",
  summary: "This document",
  answers: { 200: { description: "An OpenAPI 3.1 document", content: { type: "application/json" } } },
};
