/** Default number of tokens of prompt and answer together: a conservative 32K. */
export const DEFAULT_CONTEXT_SIZE = 32768;
