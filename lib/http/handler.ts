/**
 * A server without its socket, for programs that have one of their own.
 *
 * @module
 */

/** A server without its socket. */
export interface Handler {
  /**
   * Answers one request.
   *
   * @param peer Address at the other end of the socket, which the access policy looks at; loopback by default.
   */
  fetch(request: Request, peer?: string): Promise<Response>;
  /** Cancels what runs and releases everything. */
  close(): Promise<void>;
}
