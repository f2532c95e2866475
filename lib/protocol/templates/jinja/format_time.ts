/**
 * Times in the formats of C's `strftime`, in English.
 *
 * @module
 */
const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Formats a local time; directives that strftime does not have stay as they are. */
export function formatTime(time: Date, format: string): string {
  const padded = (value: number, size = 2, fill = "0"): string => String(value).padStart(size, fill);
  const hour = time.getHours() % 12 || 12;
  const dayOfYear = Math.round(
    (Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) - Date.UTC(time.getFullYear(), 0)) / 86_400_000,
  ) + 1;
  const parts: Readonly<Record<string, () => string>> = {
    Y: () => String(time.getFullYear()),
    y: () => padded(time.getFullYear() % 100),
    C: () => padded(Math.floor(time.getFullYear() / 100)),
    m: () => padded(time.getMonth() + 1),
    d: () => padded(time.getDate()),
    e: () => padded(time.getDate(), 2, " "),
    j: () => padded(dayOfYear, 3),
    B: () => MONTHS[time.getMonth()],
    b: () => MONTHS[time.getMonth()].slice(0, 3),
    h: () => MONTHS[time.getMonth()].slice(0, 3),
    A: () => DAYS[time.getDay()],
    a: () => DAYS[time.getDay()].slice(0, 3),
    u: () => String(time.getDay() || 7),
    w: () => String(time.getDay()),
    H: () => padded(time.getHours()),
    k: () => padded(time.getHours(), 2, " "),
    I: () => padded(hour),
    l: () => padded(hour, 2, " "),
    M: () => padded(time.getMinutes()),
    S: () => padded(time.getSeconds()),
    f: () => padded(time.getMilliseconds() * 1000, 6),
    p: () => time.getHours() < 12 ? "AM" : "PM",
    F: () => formatTime(time, "%Y-%m-%d"),
    D: () => formatTime(time, "%m/%d/%y"),
    x: () => formatTime(time, "%m/%d/%y"),
    T: () => formatTime(time, "%H:%M:%S"),
    X: () => formatTime(time, "%H:%M:%S"),
    R: () => formatTime(time, "%H:%M"),
    r: () => formatTime(time, "%I:%M:%S %p"),
    c: () => formatTime(time, "%a %b %e %H:%M:%S %Y"),
    s: () => String(Math.floor(time.getTime() / 1000)),
    z: () => "",
    Z: () => "",
    n: () => "\n",
    t: () => "\t",
    "%": () => "%",
  };
  return format.replace(/%(-?)([A-Za-z%])/g, (all, bare, letter) => {
    if (!Object.hasOwn(parts, letter)) return all;
    return bare === "" ? parts[letter]() : parts[letter]().replace(/^[0 ]+(?=.)/, "");
  });
}
