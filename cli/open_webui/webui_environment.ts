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

/** Settings passed to the front end. */
export interface WebuiSettings {
  /** Such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly models: WebuiModels;
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

/** The variables of the front end, which count again on every start. */
export function webuiEnvironment(settings: WebuiSettings): readonly Variable[] {
  const { baseUrl, apiKey, models, speechFormat, admin, sessionKey } = settings;
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
    ...when(models.embedding, (model) => [
      plain("RAG_EMBEDDING_ENGINE", "openai"),
      plain("RAG_EMBEDDING_MODEL", model),
      ...server("RAG_"),
    ]),
    ...when(models.image, (model) => [
      plain("ENABLE_IMAGE_GENERATION", "true"),
      plain("IMAGE_GENERATION_ENGINE", "openai"),
      plain("IMAGE_GENERATION_MODEL", model),
      ...server("IMAGES_"),
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
