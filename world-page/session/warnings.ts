/** Keeps what a server says beside an answer, in `x-svc-warning`. */
export class Warnings {
  #taken: string | undefined;

  /** The last warning. */
  get taken(): string | undefined {
    return this.#taken;
  }

  /** Forgets it. */
  clear(): void {
    this.#taken = undefined;
  }

  /** Sends a request and keeps the warning of its answer. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    this.#taken = response.headers.get("x-svc-warning") ?? this.#taken;
    return response;
  };
}
