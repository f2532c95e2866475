/**
 * Codes of requests that are wrong in themselves.
 *
 * @module
 */

/** Codes of requests that are wrong in themselves. */
export const requestErrors = {
  body_too_large: {
    type: "invalid_request_error",
    status: 413,
    meaning: "The body exceeds the route's limit, which the message names.",
    remedy: "Send a smaller body.",
  },
  checkpoint_refused: {
    type: "invalid_request_error",
    meaning: "A file of weights is damaged, or holds something other than tensors and plain values.",
    remedy: "Get the file again from where it is published; a file with code in it is not read.",
  },
  client_disconnected: {
    type: "invalid_request_error",
    status: 499,
    meaning: "The client disconnected before the response was complete.",
    remedy: "Send the request again and keep the connection open.",
  },
  preparation_timeout: {
    type: "invalid_request_error",
    meaning: "Messages, tools and schema of a chat, or texts to embed or rank, take too long to turn into tokens.",
    remedy: "Simplify the schema, or shorten what the message names.",
  },
  context_length_exceeded: {
    type: "invalid_request_error",
    meaning: "The prompt or text has more tokens than the model's context; the message has both numbers.",
    remedy: "Shorten the input, or use a model with a longer context. Input is never truncated silently.",
  },
  previous_response_not_found: {
    type: "invalid_request_error",
    meaning: "The response to continue is not kept, or no longer: responses are kept in memory for a time.",
    remedy: "Send the whole conversation as input.",
  },
  duplicate_field: {
    type: "invalid_request_error",
    meaning: "A field is given twice, possibly in both spellings.",
    remedy: "Give it once.",
  },
  empty_body: {
    type: "invalid_request_error",
    meaning: "The body is empty, but must not be.",
    remedy: "Send the bytes of the image as the body.",
  },
  empty_text: {
    type: "invalid_request_error",
    meaning: "A text has no tokens.",
    remedy: "Send a text that is not empty.",
  },
  expectation_failed: {
    type: "invalid_request_error",
    status: 417,
    meaning: "The header `expect` has another value than `100-continue`.",
    remedy: "Omit the header.",
  },
  headers_too_large: {
    type: "invalid_request_error",
    status: 431,
    meaning: "The headers of a request are larger than the HTTP parser takes.",
    remedy: "Send fewer or shorter headers.",
  },
  incomplete_body: {
    type: "invalid_request_error",
    meaning: "The connection ended before the body was complete.",
    remedy: "Send the request again.",
  },
  invalid_checkpoint_id: {
    type: "invalid_request_error",
    meaning: "The id of a checkpoint is not a UUID.",
    remedy: "Use an id from `GET /v1/world/session/checkpoints`.",
  },
  invalid_idempotency_key: {
    type: "invalid_request_error",
    meaning: "The header `Idempotency-Key` is empty, too long or has other characters than visible ASCII.",
    remedy: "Use 1 to 255 visible ASCII characters, such as a UUID.",
  },
  invalid_rollout_spec: {
    type: "invalid_request_error",
    meaning: "A batch rollout cannot be submitted; the message says which line is wrong, and why.",
    remedy: "Correct the line, and submit the file again.",
  },
  invalid_world_id: {
    type: "invalid_request_error",
    meaning: "The id of a world is not a UUID.",
    remedy: "Use an id from `GET /v1/worlds`.",
  },
  invalid_content_encoding: {
    type: "invalid_request_error",
    meaning: "The body is not what its `content-encoding` says: it is damaged or ends early.",
    remedy: "Compress the body again, or send it as it is.",
  },
  invalid_id: {
    type: "invalid_request_error",
    meaning: "A model id has characters or a length that are not allowed.",
    remedy: "Use letters, digits, dots and dashes as the message says.",
  },
  invalid_job_id: {
    type: "invalid_request_error",
    meaning: "The id of a job is not a UUID.",
    remedy: "Use the `job_id` of the 202 response.",
  },
  invalid_json: {
    type: "invalid_request_error",
    meaning: "The body is not valid JSON in UTF-8, or not an object with a plausible number of fields.",
    remedy: "Send one JSON object.",
  },
  invalid_multipart: {
    type: "invalid_request_error",
    meaning:
      "The body is not a valid form: its boundary is missing, a part is damaged, or it ends before the last boundary.",
    remedy: "Let the HTTP library build the multipart/form-data body and set its content type.",
  },
  invalid_settings: {
    type: "invalid_request_error",
    meaning: "A runtime setting is unknown, out of bounds or not for this model; `param` names it.",
    remedy: "Correct the setting as the message says.",
  },
  malformed_request: {
    type: "invalid_request_error",
    meaning: "The data received is not an HTTP request, or its path or host is invalid.",
    remedy: "Check what was sent.",
  },
  method_not_allowed: {
    type: "invalid_request_error",
    status: 405,
    meaning: "The path exists, the method does not; the header `Allow` lists the methods.",
    remedy: "Use one of the methods of `Allow`.",
  },
  missing_field: {
    type: "invalid_request_error",
    meaning: "A required field is missing; `param` names it.",
    remedy: "Add the field.",
  },
  range_not_satisfiable: {
    type: "invalid_request_error",
    status: 416,
    meaning: "The range begins beyond the end of the file.",
    remedy: "Use the size in the header `Content-Range`.",
  },
  request_timeout: {
    type: "invalid_request_error",
    status: 408,
    meaning: "A request did not arrive whole in time.",
    remedy: "Send it again, without pauses.",
  },
  source_required: {
    type: "invalid_request_error",
    meaning: "The session has no image to start from.",
    remedy: "Give `source_image`, or upload a source first.",
  },
  template_refused: {
    type: "invalid_request_error",
    meaning: "The model's chat template refuses the messages, for example because of the order of their roles.",
    remedy: "Change the messages as the message says.",
  },
  too_many_tokens: {
    type: "invalid_request_error",
    meaning: "The image would be cut into more patches than the model takes; the message has the number.",
    remedy: "Lower `token_count` or `resolution_level`.",
  },
  unknown_field: {
    type: "invalid_request_error",
    meaning: "There is no such field; the message names the closest one.",
    remedy: "Correct or remove the field.",
  },
  unsuitable_files: {
    type: "invalid_request_error",
    meaning: "The files are not those of a model that an engine serves, or of a model for another task.",
    remedy: "Name files in one of the layouts that the message lists.",
  },
  unsupported_content_encoding: {
    type: "invalid_request_error",
    status: 415,
    meaning: "The body is compressed in a way that the server does not decode; `accept-encoding` lists those it does.",
    remedy: "Compress the body with gzip, deflate or br, or send it as it is.",
  },
  unsupported_content_type: {
    type: "invalid_request_error",
    status: 415,
    meaning: "The content type is not one that the route reads.",
    remedy: "Send the content type that the message names.",
  },
  unsupported_for_backend: {
    type: "invalid_request_error",
    meaning: "The world model of this session cannot do this.",
    remedy: "Use what the message suggests, or a server with the other backend.",
  },
  unsupported_model: {
    type: "invalid_request_error",
    meaning: "No engine of this version serves the model.",
    remedy: "Choose another model.",
  },
  unsupported_parameter: {
    type: "invalid_request_error",
    meaning: "A field would change the output, and this server or model cannot honour it; `param` names it.",
    remedy: "Remove the field, or choose a model that supports it.",
  },
  upgrade_required: {
    type: "invalid_request_error",
    status: 426,
    meaning: "The path is a WebSocket, and the request does not open one.",
    remedy: "Open it with a WebSocket client.",
  },
  wrong_model_task: {
    type: "invalid_request_error",
    meaning: "The model is for another task than the route.",
    remedy: "Choose a model for the task of the route.",
  },
  wrong_type: {
    type: "invalid_request_error",
    meaning: "A field has a value of the wrong type; `param` names it.",
    remedy: "Send the type that the message names.",
  },
} as const;
