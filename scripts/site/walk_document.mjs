/** The document of the walk page, for a world in the same tab. */

/** Only files of the site itself; pictures and videos come out of memory. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * The page of a world server with what there is not in a tab taken out: keys, and pictures by an image model.
 *
 * @param {string} html
 * @returns {string}
 */
export function walkDocument(html) {
  return [
    [
      /<meta charset="utf-8">/,
      `$&\n    <meta http-equiv="content-security-policy" content="${POLICY}">\n    <meta name="description"\n` +
      `      content="A generated world that runs in this browser, with no server: walk with W, A, S and D.">\n` +
      `    <script src="embed.js"></script>`,
    ],
    [/<form id="describe" class="describe">/, `<form id="describe" class="describe" hidden>`],
    [/(<button type="button" id="copy-walk" disabled)>/, "$1 hidden>"],
    [
      /<p id="connection" role="status">Connecting<\/p>/,
      `<p id="connection" role="status">Starting</p>\n      <a id="home" href="../">About</a>`,
    ],
    [/Leave a field empty to use the server's default\./, "Leave a field empty to use the default."],
  ].reduce((text, [pattern, by]) => {
    if (!pattern.test(text)) throw new Error(`Cannot make the walk page: world-page/index.html has no ${pattern}`);
    return text.replace(pattern, by);
  }, html);
}
