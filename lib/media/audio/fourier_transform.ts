/**
 * The discrete Fourier transform of any length.
 *
 * @module
 */

/**
 * A plan for transforms of one length: mixed radix (Cooley and Tukey 1965), fast where the length has small prime factors
 * only, such as the 400, 512 and 1200 of speech models. Computes in 64-bit floats.
 */
export class FourierTransform {
  /** Number of points. */
  readonly size: number;
  /** Where each point of the input goes before the first stage. */
  readonly #order: Int32Array;
  /** Radices of the stages, in the order in which they run. */
  readonly #stages: readonly number[];
  /** cos and -sin of 2π k/size */
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;

  /** @throws {RangeError} when the size is not a positive integer. */
  constructor(size: number) {
    if (!Number.isSafeInteger(size) || size < 1) {
      throw new RangeError(`Cannot plan a Fourier transform: its size is ${size}, expected a positive integer`);
    }
    this.size = size;
    const factors = factorsOf(size);
    this.#order = digitReversal(size, factors);
    this.#stages = factors.toReversed();
    this.#cos = Float64Array.from({ length: size }, (_, k) => Math.cos(2 * Math.PI * k / size));
    this.#sin = Float64Array.from({ length: size }, (_, k) => -Math.sin(2 * Math.PI * k / size));
  }

  /** X[k] = Σ x[n] exp(-2πi kn/size); the outputs are other arrays than the inputs, each of `size` numbers. */
  transform(re: Float64Array, im: Float64Array, outRe: Float64Array, outIm: Float64Array): void {
    const order = this.#order;
    for (let i = 0; i < this.size; i++) {
      outRe[i] = re[order[i]];
      outIm[i] = im[order[i]];
    }
    let part = 1;
    for (const radix of this.#stages) {
      if (radix === 3) this.#radix3(part, outRe, outIm);
      else if (radix === 4) this.#radix4(part, outRe, outIm);
      else if (radix === 5) this.#radix5(part, outRe, outIm);
      else this.#anyRadix(radix, part, outRe, outIm);
      part *= radix;
    }
  }

  #radix3(part: number, re: Float64Array, im: Float64Array): void {
    const cos = this.#cos, sin = this.#sin;
    const step = this.size / (3 * part);
    const height = Math.sqrt(3) / 2;
    for (let k = 0; k < part; k++) {
      const c1 = cos[k * step], s1 = sin[k * step];
      const c2 = cos[2 * k * step], s2 = sin[2 * k * step];
      for (let a = k; a < this.size; a += 3 * part) {
        const b = a + part, c = b + part;
        const br = re[b] * c1 - im[b] * s1, bi = re[b] * s1 + im[b] * c1;
        const cr = re[c] * c2 - im[c] * s2, ci = re[c] * s2 + im[c] * c2;
        const sumRe = br + cr, sumIm = bi + ci, gapRe = height * (br - cr), gapIm = height * (bi - ci);
        const middleRe = re[a] - sumRe / 2, middleIm = im[a] - sumIm / 2;
        re[a] += sumRe;
        im[a] += sumIm;
        re[b] = middleRe + gapIm;
        im[b] = middleIm - gapRe;
        re[c] = middleRe - gapIm;
        im[c] = middleIm + gapRe;
      }
    }
  }

  #radix4(part: number, re: Float64Array, im: Float64Array): void {
    const cos = this.#cos, sin = this.#sin;
    const step = this.size / (4 * part);
    for (let k = 0; k < part; k++) {
      const c1 = cos[k * step], s1 = sin[k * step];
      const c2 = cos[2 * k * step], s2 = sin[2 * k * step];
      const c3 = cos[3 * k * step], s3 = sin[3 * k * step];
      for (let a = k; a < this.size; a += 4 * part) {
        const b = a + part, c = b + part, d = c + part;
        const br = re[b] * c1 - im[b] * s1, bi = re[b] * s1 + im[b] * c1;
        const cr = re[c] * c2 - im[c] * s2, ci = re[c] * s2 + im[c] * c2;
        const dr = re[d] * c3 - im[d] * s3, di = re[d] * s3 + im[d] * c3;
        const evenRe = re[a] + cr, evenIm = im[a] + ci, oddRe = re[a] - cr, oddIm = im[a] - ci;
        const sumRe = br + dr, sumIm = bi + di, gapRe = br - dr, gapIm = bi - di;
        re[a] = evenRe + sumRe;
        im[a] = evenIm + sumIm;
        re[b] = oddRe + gapIm;
        im[b] = oddIm - gapRe;
        re[c] = evenRe - sumRe;
        im[c] = evenIm - sumIm;
        re[d] = oddRe - gapIm;
        im[d] = oddIm + gapRe;
      }
    }
  }

  #radix5(part: number, re: Float64Array, im: Float64Array): void {
    const cos = this.#cos, sin = this.#sin;
    const step = this.size / (5 * part);
    const fifth = this.size / 5;
    const ca = cos[fifth], sa = sin[fifth], cb = cos[2 * fifth], sb = sin[2 * fifth];
    for (let k = 0; k < part; k++) {
      for (let a = k; a < this.size; a += 5 * part) {
        const b = a + part, c = b + part, d = c + part, e = d + part;
        const br = re[b] * cos[k * step] - im[b] * sin[k * step], bi = re[b] * sin[k * step] + im[b] * cos[k * step];
        const cr = re[c] * cos[2 * k * step] - im[c] * sin[2 * k * step];
        const ci = re[c] * sin[2 * k * step] + im[c] * cos[2 * k * step];
        const dr = re[d] * cos[3 * k * step] - im[d] * sin[3 * k * step];
        const di = re[d] * sin[3 * k * step] + im[d] * cos[3 * k * step];
        const er = re[e] * cos[4 * k * step] - im[e] * sin[4 * k * step];
        const ei = re[e] * sin[4 * k * step] + im[e] * cos[4 * k * step];
        // Points 1 and 4, 2 and 3 have conjugate roots.
        const outerRe = br + er, outerIm = bi + ei, innerRe = cr + dr, innerIm = ci + di;
        const wideRe = br - er, wideIm = bi - ei, nearRe = cr - dr, nearIm = ci - di;
        const p1 = re[a] + ca * outerRe + cb * innerRe, q1 = im[a] + ca * outerIm + cb * innerIm;
        const p2 = re[a] + cb * outerRe + ca * innerRe, q2 = im[a] + cb * outerIm + ca * innerIm;
        const u1 = sa * wideRe + sb * nearRe, v1 = sa * wideIm + sb * nearIm;
        const u2 = sb * wideRe - sa * nearRe, v2 = sb * wideIm - sa * nearIm;
        re[a] += outerRe + innerRe;
        im[a] += outerIm + innerIm;
        re[b] = p1 - v1;
        im[b] = q1 + u1;
        re[c] = p2 - v2;
        im[c] = q2 + u2;
        re[d] = p2 + v2;
        im[d] = q2 - u2;
        re[e] = p1 + v1;
        im[e] = q1 - u1;
      }
    }
  }

  #anyRadix(radix: number, part: number, re: Float64Array, im: Float64Array): void {
    const cos = this.#cos, sin = this.#sin;
    const step = this.size / (radix * part);
    const root = this.size / radix;
    const xr = new Float64Array(radix), xi = new Float64Array(radix);
    for (let k = 0; k < part; k++) {
      for (let a = k; a < this.size; a += radix * part) {
        for (let q = 0; q < radix; q++) {
          const at = a + q * part, turn = q * k * step;
          xr[q] = re[at] * cos[turn] - im[at] * sin[turn];
          xi[q] = re[at] * sin[turn] + im[at] * cos[turn];
        }
        for (let r = 0; r < radix; r++) {
          let sumRe = 0, sumIm = 0;
          for (let q = 0; q < radix; q++) {
            const turn = (q * r % radix) * root;
            sumRe += xr[q] * cos[turn] - xi[q] * sin[turn];
            sumIm += xr[q] * sin[turn] + xi[q] * cos[turn];
          }
          re[a + r * part] = sumRe;
          im[a + r * part] = sumIm;
        }
      }
    }
  }
}

/** Prime factors, pairs of twos as fours. */
function factorsOf(size: number): number[] {
  const factors: number[] = [];
  for (const factor of [4, 2, 3, 5]) {
    for (; size % factor === 0; size /= factor) factors.push(factor);
  }
  for (let factor = 7; size > 1; factor += 2) {
    if (factor * factor > size) factor = size;
    for (; size % factor === 0; size /= factor) factors.push(factor);
  }
  return factors;
}

/** The order that decimation in time by these factors, the first one outermost, leaves the points in. */
function digitReversal(size: number, factors: readonly number[]): Int32Array {
  let order = [0];
  // From the innermost out: part q of the next larger transform takes the points q, q + radix, q + 2 radix and so on.
  for (const radix of factors.toReversed()) {
    order = Array.from({ length: radix }, (_, q) => order.map((point) => q + point * radix)).flat();
  }
  return Int32Array.from(order.slice(0, size));
}
