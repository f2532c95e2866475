/**
 * Codes of load, of models and of the server itself.
 *
 * @module
 */

/** Codes of load, of models and of the server itself. */
export const serverErrors = {
  // Load
  queue_full: {
    type: "rate_limit_error",
    retryAfter: 5,
    meaning: "The request queue is full.",
    remedy: "Retry later.",
  },
  rate_limit_exceeded: {
    type: "rate_limit_error",
    meaning: "The client's address has reached its limit of requests per minute.",
    remedy: "Wait as long as `Retry-After` says.",
  },
  quota_exceeded: {
    type: "rate_limit_error",
    retryAfter: 30,
    meaning: "The tenant has reached a quota; the message names it.",
    remedy: "Wait as long as `Retry-After` says, delete what is no longer needed, or ask for a larger quota.",
  },
  rollout_line_full: {
    type: "rate_limit_error",
    retryAfter: 60,
    meaning: "The fleet's queue of batch rollouts is full.",
    remedy: "Submit the same file later: rollouts that were accepted are not accepted twice.",
  },
  waiting_line_full: {
    type: "rate_limit_error",
    retryAfter: 30,
    meaning: "The fleet's queue of worlds that wait for a worker is full.",
    remedy: "Retry later, or add workers.",
  },
  too_many_worlds: {
    type: "rate_limit_error",
    retryAfter: 60,
    meaning: "The server has reached its maximum number of worlds.",
    remedy: "Delete one that is no longer needed, or raise the limit.",
  },
  too_many_event_streams: {
    type: "rate_limit_error",
    retryAfter: 15,
    meaning: "The server has reached its maximum number of event streams.",
    remedy: "Close one, or poll the session and its jobs.",
  },
  too_many_realtime_sessions: {
    type: "rate_limit_error",
    retryAfter: 15,
    meaning: "The server has reached its maximum number of realtime sessions.",
    remedy: "Close one, or retry later.",
  },
  memory_pressure: {
    type: "memory_pressure_error",
    retryAfter: 15,
    meaning: "The model does not fit into the free memory now.",
    remedy: "Unload other models, end other programs, or use a smaller model.",
  },

  // Models
  model_device_unavailable: {
    type: "model_unavailable_error",
    meaning: "The requested device is not available.",
    remedy: "Install its driver, or choose the CPU.",
  },
  model_invalid: {
    type: "model_unavailable_error",
    meaning: "Files or tensors of the model are missing or invalid; the message lists all of them.",
    remedy: "Install the model again.",
  },
  model_invalid_config: {
    type: "model_unavailable_error",
    meaning: "A configuration file of the model is invalid.",
    remedy: "Correct it, or install the model again.",
  },
  model_unavailable: {
    type: "model_unavailable_error",
    meaning: "The model cannot be loaded: files are missing, or its engine fails.",
    remedy: "The message has the engine's reason, and the server's log has details: install or repair what they name.",
  },
  template_invalid: {
    type: "model_unavailable_error",
    meaning: "The model has no chat template or an invalid one.",
    remedy: "Install a model with a chat template.",
  },

  // The server
  broken_record: {
    type: "server_error",
    meaning: "The record of an installed model cannot be read.",
    remedy: "Remove the model with `svc model rm` and install it again.",
  },
  broken_settings: {
    type: "server_error",
    meaning: "The settings file of the model store cannot be read.",
    remedy: "Repair or delete the file that the message names.",
  },
  corrupt_download: {
    type: "server_error",
    meaning: "A downloaded file does not match its announced checksum or size.",
    remedy: "Pull the model again.",
  },
  device_lost: {
    type: "server_error",
    meaning: "The GPU was lost or reset.",
    remedy: "Prepare the session again.",
  },
  disk_full: {
    type: "server_error",
    meaning: "The disk has too little free space.",
    remedy: "Free space on the disk.",
  },
  engine_crashed: {
    type: "server_error",
    meaning: "The process of the model's engine ended unexpectedly.",
    remedy: "Send the request again; the server's log has the reason.",
  },
  internal_error: {
    type: "server_error",
    meaning: "An unexpected error; the response says nothing else about it.",
    remedy: "Look into the server's log under the response's `x-request-id`.",
  },
  invalid_output: {
    type: "server_error",
    meaning: "The model's output is not what was required, such as JSON of a schema.",
    remedy: "Send the request again, simplify the schema, or use a larger model.",
  },
  model_worker_died: {
    type: "server_error",
    meaning: "The worker of the world model stopped.",
    remedy: "Send the move again: the world continues where it was; without a journal, from the image it shows.",
  },
  repository_unavailable: {
    type: "server_error",
    meaning: "The repository of a model cannot be read.",
    remedy: "Check its name, the network and `HF_TOKEN`.",
  },
  world_failed: {
    type: "server_error",
    status: 503,
    meaning: "Several workers of a fleet could not open the world; the message has the last reason.",
    remedy: "See the workers' logs; the next request tries again.",
  },
  world_moved: {
    type: "conflict_error",
    status: 421,
    meaning: "A worker of a fleet was asked for a world that another one has.",
    remedy: "Ask a gateway, which can locate the world.",
  },
  fleet_unavailable: {
    type: "server_error",
    status: 503,
    retryAfter: 5,
    meaning: "The NATS server of the fleet does not answer, has no room left, or has lost the fleet's streams.",
    remedy: "Retry later; the operator should check the NATS server and its disk.",
  },
  world_waiting: {
    type: "server_error",
    status: 503,
    retryAfter: 5,
    meaning: "The world waits for a worker of its fleet; the message says at which place.",
    remedy: "Retry later, or add workers.",
  },
  server_stopping: {
    type: "server_error",
    status: 503,
    retryAfter: 5,
    meaning: "The server is stopping.",
    remedy: "Retry when it runs again.",
  },
  template_failed: {
    type: "server_error",
    meaning: "The model's chat template failed on these messages or made an empty prompt.",
    remedy: "Change the messages, or use another model.",
  },
  write_failed: {
    type: "server_error",
    meaning: "A file could not be written.",
    remedy: "Look into the server's log for the reason.",
  },
} as const;
