/**
 * What has to happen to any text before rules for English can look at it.
 *
 * @module
 */

/**
 * Takes out what is not seen: control characters become spaces, line breaks stay, and format characters (joiners, soft
 * hyphens, marks of direction, byte order marks) go. Accents join their letters, digits of all scripts become ASCII
 * digits. Lone surrogates go.
 */
export function cleanText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/[\p{Cf}\p{Cs}\p{Variation_Selector}]/gu, "")
    .replace(/[^\n\P{Cc}]/gu, " ")
    .replace(/[^0-9\P{Nd}]/gu, asciiDigit);
}

/** Decimal digits stand in runs of ten, zero first: the value is the number of digits right below, modulo ten. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let below = 0;
  while (below < 100 && /^\p{Nd}$/u.test(String.fromCodePoint(code - below - 1))) below++;
  return `${below % 10}`;
}
