/** Tokens of a prompt with its answer unless told otherwise: a conservative 32K. */
export const DEFAULT_CONTEXT_SIZE = 32768;
