/** The path of a request as it was sent, without its query: also of one whose `Host` header makes its URL invalid. */
export function requestPath({ url }: Request): string {
  return url.replace(/^[^/]*\/\/[^/?#]*/, "").replace(/[?#].*$/s, "") || "/";
}
