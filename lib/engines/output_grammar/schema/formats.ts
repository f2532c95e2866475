/**
 * Formats of strings, as patterns.
 *
 * @module
 */

const DAY = "(?:0[1-9]|[12][0-9]|3[01])";
const LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
const DATE = `(?:[0-9]{4}-(?:(?:0[13578]|1[02])-${DAY}|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|` +
  `2[0-8]))|${LEAP_YEAR}-02-29)`;
const CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
const TIME = `${CLOCK}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-]${CLOCK})`;
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const HOST = `${LABEL}(?:\\.${LABEL}){0,8}`;
const BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const COUNT = "[0-9]{1,9}";
const CLOCK_SPAN = `T(?:${COUNT}H(?:${COUNT}M(?:${COUNT}S)?)?|${COUNT}M(?:${COUNT}S)?|${COUNT}S)`;
const DAY_SPAN = `(?:${COUNT}Y(?:${COUNT}M(?:${COUNT}D)?)?|${COUNT}M(?:${COUNT}D)?|${COUNT}D)`;

/**
 * The formats of JSON Schema (draft 2020-12, validation, section 7.3) that constrained decoding supports. A pattern may
 * match less than its format, but never more.
 */
export const formats: Readonly<Record<string, string>> = {
  date: `^${DATE}$`,
  time: `^${TIME}$`,
  "date-time": `^${DATE}T${TIME}$`,
  duration: `^P(?:${DAY_SPAN}(?:${CLOCK_SPAN})?|${CLOCK_SPAN}|${COUNT}W)$`,
  email: `^[A-Za-z0-9_+-]{1,32}(?:\\.[A-Za-z0-9_+-]{1,24}){0,1}@${LABEL}(?:\\.${LABEL}){1,3}$`,
  hostname: `^${HOST}$`,
  ipv4: `^${BYTE}(?:\\.${BYTE}){3}$`,
  ipv6: "^(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$",
  uri: `^https?://${HOST}(?::[1-9][0-9]{0,3})?(?:/[A-Za-z0-9._~-]{0,64}){0,16}(?:\\?[A-Za-z0-9._~=&-]{0,256})?$`,
  // With its version, as Pydantic names it.
  uuid4: "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
  uuid: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
};

/** Formats that are annotations only: every string has them. */
export const FREE_FORMATS: ReadonlySet<string> = new Set([
  "binary",
  "directory-path",
  "file-path",
  "password",
  "path",
]);
