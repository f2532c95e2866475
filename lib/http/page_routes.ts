import type { Route } from "./router.ts";

/** The files of a page. */
export interface ServedPage {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  /** The icon, an SVG. */
  readonly icon: string;
  /** Documents next to it with the same script and style, by their path, such as `/docs`. */
  readonly others?: Readonly<Record<string, string>>;
}

/** Only this server's own content; images and videos are fetched with the key and shown from memory. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Routes of a page at a base path. They need no key: a browser cannot send one with them, and they hold
 * no secret.
 */
export function pageRoutes(base: string, { html, script, style, icon, others = {} }: ServedPage): Route[] {
  const file = (path: string, type: string, text: string): Route => ({
    method: "GET",
    path: base + path,
    open: true,
    handle: () =>
      new Response(text, {
        headers: {
          "content-type": `${type}; charset=utf-8`,
          "cache-control": "no-cache",
          "content-security-policy": CONTENT_SECURITY_POLICY,
          "referrer-policy": "no-referrer",
        },
      }),
  });
  return [
    file("/", "text/html", html),
    file("/page.js", "text/javascript", script),
    file("/page.css", "text/css", style),
    file("/page.svg", "image/svg+xml", icon),
    ...Object.entries(others).map(([path, text]) => file(path, "text/html", text)),
  ];
}
