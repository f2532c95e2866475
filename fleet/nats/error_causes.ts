/** What an error of the broker's client may tell of itself. */
export interface ClientError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** Whether something is so of an error or one of its causes: the client wraps them. */
export function someCause(error: unknown, isSo: (error: ClientError) => boolean): boolean {
  if (typeof error !== "object" || error === null) return false;
  return isSo(error) || someCause((error as { readonly cause?: unknown }).cause, isSo);
}
