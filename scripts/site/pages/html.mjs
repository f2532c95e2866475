/** Text as HTML. */

/**
 * Escapes text for content and attributes.
 *
 * @param {string} text
 * @returns {string}
 */
export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (c) =>
    /** @type {Record<string, string>} */ ({
      "&": "&amp;",
      "<": "&lt;",
      ">": "&gt;",
      '"': "&quot;",
    })[c]);
}

/**
 * The anchor of a heading.
 *
 * @param {string} text
 * @returns {string}
 */
export function slugOf(text) {
  return text.toLowerCase().replace(/<[^>]+>|&[a-z]+;/g, "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
}

/**
 * The words of a piece of HTML, for the search.
 *
 * @param {string} html
 * @returns {string}
 */
export function wordsOf(html) {
  const entities = /** @type {Record<string, string>} */ ({ lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" });
  const inline = /<\/?(?:a|code|em|strong|span)(?: [^>]*)?>/g;
  return html.replace(inline, "").replace(/<[^>]+>/g, " ").replace(/&(#?\w+);/g, (all, name) => entities[name] ?? all)
    .replace(/\s+/g, " ")
    .trim();
}
