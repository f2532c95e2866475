/** The path of a request as sent, without its query; works even if the `Host` header makes its URL invalid. */
export function requestPath({ url }: Request): string {
  return url.replace(/^[^/]*\/\/[^/?#]*/, "").replace(/[?#].*$/s, "") || "/";
}
