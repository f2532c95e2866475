/**
 * The settings of Open WebUI, as environment variables.
 *
 * @module
 */

/** The models that the front end uses; what is undefined is left off. */
export interface WebuiModels {
  readonly text: string | undefined;
  readonly embedding: string | undefined;
  readonly image: string | undefined;
  readonly speech: string | undefined;
  readonly transcription: string | undefined;
}

/** What is known of the embedding model. */
export interface EmbeddingFacts {
  /** Most tokens of a text. */
  readonly context: number;
  /** Whether questions and documents have prompts of their own. */
  readonly prompts: boolean;
}

/** Settings passed to the front end. */
export interface WebuiSettings {
  /** Such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly models: WebuiModels;
  readonly embedding: EmbeddingFacts | undefined;
  /** Whether it runs in a container, with an ffmpeg of its own. */
  readonly contained: boolean;
  /** Format that speech is asked for in. */
  readonly speechFormat: string;
  /** Account of the administrator; without one, anyone who reaches the page is let in. */
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  /** Signs the sessions of its users. */
  readonly sessionKey: string;
}

/** A variable; secrets are never shown. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
}

/** Characters of the pieces that documents are cut into, where the embedding model takes pieces of any length. */
const PIECE = 1000;

/** Asks for reasoning while it is generated, and for the number of tokens. */
const STREAMS = { custom_params: { stream_options: { include_usage: true, include_reasoning: true } } };

/**
 * How documents are searched. A piece that is too long for the model would be refused, and the document with it: a token
 * has 3 to 4 characters of prose, but rows of a table are half signs, which are tokens of their own.
 */
function documentVariables(facts: EmbeddingFacts | undefined): readonly (readonly [string, string])[] {
  if (facts === undefined) return [];
  const piece = Math.min(PIECE, Math.floor(1.5 * facts.context));
  return [
    ["CHUNK_SIZE", String(piece)],
    ["CHUNK_OVERLAP", String(Math.floor(piece / 10))],
    ...facts.prompts
      ? [
        ["RAG_EMBEDDING_PREFIX_FIELD_NAME", "input_type"],
        ["RAG_EMBEDDING_QUERY_PREFIX", "query"],
        ["RAG_EMBEDDING_CONTENT_PREFIX", "document"],
      ] as const
      : [],
  ];
}

/** The variables of the front end, which count again on every start. */
export function webuiEnvironment(settings: WebuiSettings): readonly Variable[] {
  const { baseUrl, apiKey, models, embedding, contained, speechFormat, admin, sessionKey } = settings;
  const plain = (name: string, value: string): Variable => ({ name, value, secret: false });
  const secret = (name: string, value: string): Variable => ({ name, value, secret: true });
  const server = (prefix: string, plural = ""): readonly Variable[] => [
    plain(`${prefix}OPENAI_API_BASE_URL${plural}`, baseUrl),
    secret(`${prefix}OPENAI_API_KEY${plural}`, apiKey),
  ];
  const when = (model: string | undefined, variables: (model: string) => readonly Variable[]) =>
    model === undefined ? [] : variables(model);
  return [
    plain("ENABLE_PERSISTENT_CONFIG", "false"),
    plain("ENABLE_OLLAMA_API", "false"),
    plain("ENABLE_OPENAI_API", "true"),
    ...server(""),
    ...server("", "S"),
    ...when(models.text, (model) => [plain("DEFAULT_MODELS", model)]),
    plain("DEFAULT_MODEL_PARAMS", JSON.stringify(STREAMS)),
    ...models.embedding === undefined
      // It would fetch a model of its own when it starts; so it puts whole documents into the chat.
      ? [plain("BYPASS_EMBEDDING_AND_RETRIEVAL", "true")]
      : [
        plain("RAG_EMBEDDING_ENGINE", "openai"),
        plain("RAG_EMBEDDING_MODEL", models.embedding),
        ...server("RAG_"),
        plain("RAG_EMBEDDING_BATCH_SIZE", "16"),
        ...documentVariables(embedding).map(([name, value]) => plain(name, value)),
      ],
    ...when(models.image, (model) => [
      plain("ENABLE_IMAGE_GENERATION", "true"),
      plain("IMAGE_GENERATION_ENGINE", "openai"),
      plain("IMAGE_GENERATION_MODEL", model),
      ...server("IMAGES_"),
      plain("ENABLE_IMAGE_EDIT", "true"),
      plain("IMAGE_EDIT_ENGINE", "openai"),
      plain("IMAGE_EDIT_MODEL", model),
      ...server("IMAGES_EDIT_"),
    ]),
    ...when(models.speech, (model) => [
      plain("AUDIO_TTS_ENGINE", "openai"),
      plain("AUDIO_TTS_MODEL", model),
      plain("AUDIO_TTS_VOICE", "alloy"),
      plain("AUDIO_TTS_OPENAI_PARAMS", JSON.stringify({ response_format: speechFormat })),
      ...server("AUDIO_TTS_"),
    ]),
    ...when(models.transcription, (model) => [
      plain("AUDIO_STT_ENGINE", "openai"),
      plain("AUDIO_STT_MODEL", model),
      ...server("AUDIO_STT_"),
    ]),
    // The server reads what browsers record; without this it looks for an ffmpeg to convert sound with.
    ...contained ? [] : [plain("BYPASS_PYDUB_PREPROCESSING", "true")],
    ...admin
      ? [plain("WEBUI_ADMIN_EMAIL", admin.email), secret("WEBUI_ADMIN_PASSWORD", admin.password)]
      : [plain("WEBUI_AUTH", "false")],
    secret("WEBUI_SECRET_KEY", sessionKey),
    plain("ENABLE_VERSION_UPDATE_CHECK", "false"),
    plain("ANONYMIZED_TELEMETRY", "false"),
    plain("SCARF_NO_ANALYTICS", "true"),
    plain("DO_NOT_TRACK", "true"),
  ];
}
