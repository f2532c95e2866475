/**
 * Numbers in English words. Numbers are strings of digits: they may have more than a 64-bit float can hold.
 *
 * @module
 */

const ONES = (
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
  "eighteen nineteen"
).split(" ");
const TENS = ",,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety".split(",");
const SCALES = (
  " thousand million billion trillion quadrillion quintillion sextillion septillion octillion"
).split(" ");

/** Numbers of more digits have no name that people know: they are read digit by digit. */
export const MAX_NAMED_DIGITS: number = 3 * SCALES.length;

const irregularOrdinals: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};

/**
 * `1234` as "one thousand, two hundred and thirty-four".
 *
 * @param digits ASCII digits, zeros in front allowed; empty for zero.
 */
export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+/, "");
  if (significant === "") return ONES[0];
  if (significant.length > MAX_NAMED_DIGITS) return [...significant].map((digit) => ONES[Number(digit)]).join(" ");
  const groups: string[] = [];
  let last = 0;
  for (let scale = 0, end = significant.length; end > 0; scale++, end -= 3) {
    const group = Number(significant.slice(Math.max(0, end - 3), end));
    if (group === 0) continue;
    if (groups.length === 0) last = scale === 0 ? group : 0;
    groups.unshift(scale === 0 ? belowThousand(group) : `${belowThousand(group)} ${SCALES[scale]}`);
  }
  // "one thousand and one", but "one million, one thousand"
  if (groups.length > 1 && last > 0 && last < 100) return `${groups.slice(0, -1).join(", ")} and ${groups.at(-1)}`;
  return groups.join(", ");
}

/** `23` as "twenty-third", `1000` as "one thousandth". */
export function ordinal(digits: string): string {
  return cardinal(digits).replace(/(?<![a-z])[a-z]+$/, ordinalWord);
}

/** A year as it is said: `1905` as "nineteen oh-five", `2005` as "two thousand and five", `2010` as "twenty ten". */
export function year(digits: string): string {
  const value = Number(digits);
  const high = Math.floor(value / 100);
  const low = value % 100;
  if (high === 0 || high >= 100 || (high % 10 === 0 && low < 10)) return cardinal(digits);
  if (low === 0) return `${cardinal(`${high}`)} hundred`;
  return `${cardinal(`${high}`)} ${low < 10 ? `oh-${ONES[low]}` : cardinal(`${low}`)}`;
}

/** `3.140` as "three point one four". At most one point. */
export function decimal(number: string): string {
  const [whole, fraction = ""] = number.split(".");
  const digits = [...fraction.replace(/(?<!0)0+$/, "")].map((digit) => ONES[Number(digit)]);
  return [cardinal(whole), ...digits.length > 0 ? ["point", ...digits] : []].join(" ");
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const words = hundreds > 0 ? [ONES[hundreds], "hundred", ...rest > 0 ? ["and"] : []] : [];
  if (rest >= 20) words.push(TENS[Math.floor(rest / 10)] + (rest % 10 > 0 ? `-${ONES[rest % 10]}` : ""));
  else if (rest > 0) words.push(ONES[rest]);
  return words.join(" ");
}

function ordinalWord(word: string): string {
  return irregularOrdinals[word] ?? (word.endsWith("y") ? `${word.slice(0, -1)}ieth` : `${word}th`);
}
