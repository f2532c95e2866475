import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanText, textNormalizer } from "../../../lib/engines/speech/english_phonemes/normalize_text.ts";
import {
  type NormalizeTables,
  readNormalizeTables,
} from "../../../lib/engines/speech/english_phonemes/normalize_tables.ts";
import { cardinal, decimal, ordinal, year } from "../../../lib/engines/speech/english_phonemes/number_words.ts";
import { splitPhonemes } from "../../../lib/engines/speech/phonemes.ts";
import { splitSentences } from "../../../lib/engines/speech/english_phonemes/english_phonemes.ts";
import { stressed } from "../../../lib/engines/speech/english_phonemes/stress.ts";
import { UnknownWords } from "../../../lib/engines/speech/english_phonemes/unknown_words.ts";
import { WordSplitter } from "../../../lib/engines/speech/english_phonemes/split_words.ts";
import { timeStretch } from "../../../lib/engines/speech/time_stretch.ts";

/** A few entries of each table. */
const tables: NormalizeTables = {
  months: Object.fromEntries(
    "January February March April May June July August September October November December".split(" ")
      .map((name) => [name.slice(0, 3).toLowerCase(), name]),
  ),
  titles: { Dr: "Dr", St: "Saint", Prof: "Professor" },
  abbreviations: { "Dr.": "Dr", "St.": "Street", "approx.": "approximately", "Inc.": "Incorporated", "w/": "with" },
  units: {
    km: ["kilometer", "kilometers"],
    "km/h": ["kilometers per hour", "kilometers per hour"],
    ft: ["foot", "feet"],
  },
  symbols: { "=": "equals", ">": "greater than", "±": "plus or minus", "™": "", "|": ", ", "*": " " },
  currency: { "$": ["dollar", "dollars"], "¥": ["yen", "yen"], EUR: ["euro", "euros"], "¢": ["cent", "cents"] },
  roman_cardinal: ["Chapter", "World War"],
  roman_ordinal: ["Henry", "King"],
};
const normalize = textNormalizer(tables);

test("cardinals have names up to octillions and are read digit by digit beyond", () => {
  const cases: Record<string, string> = {
    "0": "zero",
    "": "zero",
    "007": "seven",
    "13": "thirteen",
    "80": "eighty",
    "99": "ninety-nine",
    "100": "one hundred",
    "101": "one hundred and one",
    "1000": "one thousand",
    "1001": "one thousand and one",
    "1100": "one thousand, one hundred",
    "12345": "twelve thousand, three hundred and forty-five",
    "1000000": "one million",
    "1000001": "one million and one",
    "1001000": "one million, one thousand",
    "1000000000000000000": "one quintillion",
  };
  for (const [digits, words] of Object.entries(cases)) assert.equal(cardinal(digits), words);
  assert.match(cardinal("9".repeat(30)), /^nine hundred and ninety-nine octillion/);
  assert.equal(cardinal("1" + "0".repeat(30)), `one${" zero".repeat(30)}`);
  assert.equal(cardinal("5".repeat(5000)).split(" ").length, 5000);
});

test("ordinals, years and decimals", () => {
  const ordinals = {
    "1": "first",
    "2": "second",
    "3": "third",
    "5": "fifth",
    "8": "eighth",
    "9": "ninth",
    "12": "twelfth",
  };
  for (const [digits, words] of Object.entries(ordinals)) assert.equal(ordinal(digits), words);
  assert.equal(ordinal("20"), "twentieth");
  assert.equal(ordinal("121"), "one hundred and twenty-first");
  assert.equal(ordinal("1000000"), "one millionth");
  const years = {
    "1905": "nineteen oh-five",
    "1999": "nineteen ninety-nine",
    "2000": "two thousand",
    "2005": "two thousand and five",
  };
  for (const [digits, words] of Object.entries(years)) assert.equal(year(digits), words);
  assert.equal(year("1800"), "eighteen hundred");
  assert.equal(year("2010"), "twenty ten");
  assert.equal(year("0033"), "thirty-three");
  assert.equal(decimal("3.140"), "three point one four");
  assert.equal(decimal("0.05"), "zero point zero five");
  assert.equal(decimal("7."), "seven");
});

test("numbers are read back from their words", () => {
  const ones =
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
      .split(" ");
  const tens = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
  const scales = "thousand million billion trillion".split(" ");
  const read = (words: string): number => {
    let total = 0;
    let group = 0;
    for (const word of words.split(/[^a-z]+/)) {
      if (word === "and") continue;
      if (word === "hundred") group *= 100;
      else if (scales.includes(word)) {
        total += group * 1000 ** (scales.indexOf(word) + 1);
        group = 0;
      } else group += ones.includes(word) ? ones.indexOf(word) : 10 * tens.indexOf(word);
    }
    return total + group;
  };
  fc.assert(fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (n) => read(cardinal(`${n}`)) === n), {
    seed: 7,
  });
});

const normalized: Record<string, string> = {
  "": "",
  "   a \t b  ": "a b",
  "at 7:05 pm": "at seven oh five P.M.",
  "at 7:05 pm.": "at seven oh five P.M.",
  "at 18:00": "at eighteen o'clock",
  "at 0:00": "at zero o'clock",
  "lap of 2:03:01": "lap of two oh three and one second",
  "not 25:00, not 12:60": "not 25:00, not 12:60",
  "on 2023-11-05": "on November fifth, 2023",
  "on 2023-13-05": "on 2023-13-05",
  "by 6/21/2026": "by June twenty-first, 2026",
  "by 21/6/26": "by June twenty-first, 2026",
  "by 1/2/85": "by January second, 1985",
  "by 31/31/85": "by 31/31/85",
  "March 3, 1987": "March third, 1987",
  "Sept 30th": "September thirtieth",
  "Mar. 3": "March third",
  "March 32": "March 32",
  "14 August 2009": "the fourteenth of August 2009",
  "the 2nd of January": "the 2nd of January",
  "$2.5 million": "2.5 million dollars",
  "$3k": "3 thousand dollars",
  "¥1": "1 yen",
  "EUR 60": "60 euros",
  "75¢ and 1¢": "75 cents and 1 cent",
  "-3°C, 20 °F, 90°": "-3 degrees Celsius, 20 degrees Fahrenheit, 90 degrees",
  "1 km, 2km, 1,000 km/h, 5 kmx": "1 kilometer, 2 kilometers, 1,000 kilometers per hour, 5 kmx",
  "Dr. Who lives on Elm St.": "Dr Who lives on Elm Street.",
  "St Paul, Prof. Lee": "Saint Paul, Professor Lee",
  "approx. two": "approximately two",
  "Hart Inc. w/ sons": "Hart Incorporated with sons",
  "No. 12, Nos. 14, No.": "Number 12, Numbers 14, No.",
  "#1 and a#2": "number 1 and a#2",
  "Chapter IV, World War II": "Chapter 4, World War 2",
  "Henry VIII, King I": "Henry the eighth, King the first",
  "Chapter IIII": "Chapter IIII",
  "call 555-0142": "call 5 5 5 , 0 1 4 2",
  "1/2, 3/4, 7/8, 11/12, 22/7, 0/5": "one half, 3 quarters, 7 eighths, November twelfth, 22 slash 7, 0 slash 5",
  "pages 12-18, 6–9": "pages 12 to 18, 6 to 9",
  "+44, a+b": "plus 44, a+b",
  "x = 3 > 2": "x equals 3 greater than 2",
  "= alone": "= alone",
  "5 ± 1 | a*b Foo™": "5 plus or minus 1, a b Foo",
  "don’t": "don't",
};

test("text is normalised", () => {
  for (const [text, want] of Object.entries(normalized)) {
    assert.equal(normalize(text).replaceAll(" ,", ","), want.replaceAll(" ,", ","), text);
  }
});

test("normalising never throws, ends quickly and leaves no white space at the ends", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const result = normalize(cleanText(text));
      return result === result.trim() && !/\s\s/.test(result);
    }),
    { seed: 11, numRuns: 300 },
  );
  for (
    const piece of ["1", "1,", "1:", "1/", "$1", "-", "[", "](", "a.", "IV ", "1 km ", "March ", "((", "'", "A", "aB"]
  ) {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    const started = performance.now();
    normalize(cleanText(text));
    splitSentences(text, new Set());
    new WordSplitter(new Map()).split(text);
    assert.ok(performance.now() - started < 8_000, `${piece} takes ${performance.now() - started} ms`);
  }
});

test("tables that cannot be used are named", () => {
  assert.throws(() => readNormalizeTables({ ...tables, units: { km: "kilometer" } }, "n.json"), /n\.json: units\.km/);
  assert.throws(() => readNormalizeTables({ ...tables, months: {} }, "n.json"), /months/);
  assert.throws(() => readNormalizeTables(null, "n.json"), /n\.json/);
});

test("what is not seen goes, line breaks stay, digits become ASCII", () => {
  assert.equal(cleanText("a\u0000b\u00adc\u200dd\ufeff\r\ne\u2028f"), "a bcd\ne\nf");
  assert.equal(cleanText("٣٤ १२ ７"), "34 12 7");
  assert.equal(cleanText("x\ud800y"), "xy");
});

test("sentences end at marks and lines, but not after titles, initials and before small letters", () => {
  const titles = new Set(["Dr", "Mr"]);
  const split = (text: string) => splitSentences(text, titles);
  assert.deepEqual(split("One. Two! Three? Four"), ["One.", "Two!", "Three?", "Four"]);
  assert.deepEqual(split("Dr. Who met J. K. Rowe. They left."), ["Dr. Who met J. K. Rowe.", "They left."]);
  assert.deepEqual(split("He said hello... and left."), ["He said hello... and left."]);
  assert.deepEqual(split('"Come in." She sat. (Really.) Yes'), ['"Come in.', "She sat.", "(Really.", "Yes"]);
  assert.deepEqual(split("a\nb\r\n\r\n c "), ["a", "b", "c"]);
  assert.deepEqual(split(" \n "), []);
  assert.deepEqual(split("3.14 is. not"), ["3.14 is. not"]);
});

test("phonemes are cut at clauses, then at words, then anywhere, and nothing is lost", () => {
  const lengths = { together: 20, maximum: 25 };
  assert.deepEqual(splitPhonemes("", lengths), []);
  assert.deepEqual(splitPhonemes("abc", lengths), ["abc"]);
  assert.deepEqual(splitPhonemes("aaaaaaaaaa, bbbbbbbbbb, ccc", lengths), ["aaaaaaaaaa,", "bbbbbbbbbb, ccc"]);
  fc.assert(
    fc.property(fc.stringMatching(/^[a-c ,;]{1,200}$/), (text) => {
      const parts = splitPhonemes(text, lengths);
      return parts.every((part) => part.length <= 25) && parts.join("").replace(/\s/g, "") === text.replace(/\s/g, "");
    }),
    { seed: 3 },
  );
});

test("words are split as the tagger expects them", () => {
  const splitter = new WordSplitter(new Map([["don't", ["do", "n't"]], ["Mr.", ["Mr."]], ["5pm", ["5", "pm"]]]));
  const split = (text: string) => splitter.split(text).map(({ text, spaced }) => spaced ? `${text}_` : text).join("|");
  assert.equal(split("Hello, world!"), "Hello|,_|world|!");
  assert.equal(split("don't (don't) Mr. 5pm."), "do|n't_|(|do|n't|)_|Mr._|5|pm|.");
  assert.equal(split("well-known a/b 5km $5 10%"), "well|-|known_|a|/|b_|5|km_|$|5_|10|%");
  assert.equal(split("http://a.b/c me@x.org v1.2"), "http://a.b/c_|me@x.org_|v1.2");
  assert.equal(split("..."), "...");
  assert.equal(split("what...now…then"), "what|...|now|…|then");
});

test("stress is moved, made and taken away", () => {
  assert.equal(stressed("kˈæt", undefined), "kˈæt");
  assert.equal(stressed("kˈætˌA", -2), "kætA");
  assert.equal(stressed("kˈætˌA", -1), "kˌætA");
  assert.equal(stressed("kˈæt", 0), "kˌæt");
  assert.equal(stressed("kæt", 0.5), "kˌæt");
  assert.equal(stressed("kæt", 2), "kˈæt");
  assert.equal(stressed("kˌæt", 1), "kˈæt");
  assert.equal(stressed("pst", 2), "pst");
});

test("unknown words longer than the network sees are read in even parts, and kept", async () => {
  const calls: (readonly number[])[] = [];
  const words = new UnknownWords({ letters: ["a", "b"], phonemes: ["x", "y"], maxLength: 4 }, (letters) => {
    calls.push(letters);
    return Promise.resolve([0, 1, 1, 0, 1, 2, 0]);
  });
  await words.read("ab?ab");
  assert.deepEqual(calls, [[1, 2, 1, 2]]);
  assert.equal(words.get("ab?ab"), "xxy");
  await words.read("aaabbb");
  assert.deepEqual(calls.slice(1), [[1, 1, 1], [2, 2, 2]]);
  await words.read("bbabba"); // its parts are alike: one run for both
  assert.deepEqual(calls.slice(3), [[2, 2, 1]]);
  assert.equal(words.get("bbabba"), "xxyxxy");
  await words.read("??");
  assert.ok(words.has("??") && words.get("??") === undefined);
});

test("stretched sound has its length and keeps its pitch", () => {
  const rate = 24_000;
  const tone = Float32Array.from({ length: rate }, (_, i) => Math.sin(2 * Math.PI * 200 * i / rate));
  for (const speed of [0.5, 0.8, 1.25, 2]) {
    const stretched = timeStretch(tone, speed, rate);
    assert.equal(stretched.length, Math.round(rate / speed));
    const middle = stretched.subarray(2_000, stretched.length - 2_000);
    let crossings = 0;
    for (let i = 1; i < middle.length; i++) crossings += Number(middle[i - 1] < 0 && middle[i] >= 0);
    assert.ok(Math.abs(crossings / (middle.length / rate) - 200) < 6, `${crossings / (middle.length / rate)} Hz`);
    assert.ok(middle.every((value) => Math.abs(value) < 1.2));
  }
  assert.equal(timeStretch(tone, 1, rate), tone);
  for (const length of [0, 1, 2, 100]) {
    assert.equal(timeStretch(tone.slice(0, length), 2, rate).length, Math.round(length / 2));
    assert.equal(timeStretch(tone.slice(0, length), 0.5, rate).length, 2 * length);
  }
});
