/**
 * The random numbers of `torch.manual_seed(seed)` and `torch.randn` on a CPU, from which the weights of goldens were
 * made: the Mersenne twister's words, 24 bits of each as a uniform number, sixteen of those at a time as eight pairs
 * of normal numbers (Box and Muller).
 *
 * @module
 */
const SIZE = 624;
const BLOCK = 16;

/** Words and normal numbers of one seed, made as far as they are asked for. */
export class TorchNormals {
  readonly #twister: Twister;
  #uniform = new Float64Array(0);
  #radius = new Float64Array(0);
  #cos = new Float64Array(0);
  #sin = new Float64Array(0);

  constructor(seed: number) {
    this.#twister = new Twister(seed);
  }

  /** What `torch.randn` gives for `count` numbers when `offset` words were taken before; at least sixteen numbers. */
  at(offset: number, count: number): Float64Array {
    if (count < BLOCK) throw new RangeError(`Cannot make ${count} normal numbers: expected at least ${BLOCK}`);
    const rest = count % BLOCK;
    this.#grow(offset + count + (rest > 0 ? BLOCK : 0));
    const numbers = new Float64Array(count);
    for (let i = 0; i + BLOCK <= count; i += BLOCK) this.#block(offset + i, numbers, i);
    // What is left over is made with the fifteen or fewer before it, from new words.
    if (rest > 0) this.#block(offset + count, numbers, count - BLOCK);
    return numbers;
  }

  /** The offsets below `end` whose first eight numbers are `sample`, except for a factor and a constant. */
  offsetsOf(sample: ArrayLike<number>, end: number): number[] {
    this.#grow(end + BLOCK);
    const half = BLOCK / 2;
    const mean = Array.from({ length: half }, (_, j) => sample[j]).reduce((sum, value) => sum + value, 0) / half;
    const wanted = Float64Array.from({ length: half }, (_, j) => sample[j] - mean);
    const power = wanted.reduce((sum, value) => sum + value * value, 0);
    const found: number[] = [];
    for (let at = 0; power > 0 && at < end; at++) {
      let [sum, squares, product] = [0, 0, 0];
      for (let j = 0; j < half; j++) {
        const value = this.#radius[at + j] * this.#cos[at + j + half];
        sum += value;
        squares += value * value;
        product += value * wanted[j];
      }
      if (product * product > 0.999 * power * (squares - sum * sum / half)) found.push(at);
    }
    return found;
  }

  #block(offset: number, numbers: Float64Array, to: number): void {
    for (let j = 0; j < BLOCK / 2; j++) {
      const radius = this.#radius[offset + j];
      const angle = offset + j + BLOCK / 2;
      numbers[to + j] = radius * this.#cos[angle];
      numbers[to + j + BLOCK / 2] = radius * this.#sin[angle];
    }
  }

  #grow(count: number): void {
    const made = this.#uniform.length;
    if (count <= made) return;
    const length = Math.max(count, 2 * made);
    [this.#uniform, this.#radius, this.#cos, this.#sin] = [this.#uniform, this.#radius, this.#cos, this.#sin]
      .map((old) => {
        const grown = new Float64Array(length);
        grown.set(old);
        return grown;
      });
    for (let i = made; i < length; i++) {
      const uniform = (this.#twister.next() & 0xffffff) / 2 ** 24;
      this.#uniform[i] = uniform;
      this.#radius[i] = Math.sqrt(-2 * Math.log(1 - uniform));
      this.#cos[i] = Math.cos(2 * Math.PI * uniform);
      this.#sin[i] = Math.sin(2 * Math.PI * uniform);
    }
  }
}

/** MT19937. */
class Twister {
  readonly #state = new Uint32Array(SIZE);
  #at = SIZE;

  constructor(seed: number) {
    this.#state[0] = seed;
    for (let i = 1; i < SIZE; i++) {
      const before = this.#state[i - 1] ^ (this.#state[i - 1] >>> 30);
      this.#state[i] = Math.imul(before, 1812433253) + i;
    }
  }

  next(): number {
    if (this.#at === SIZE) this.#twist();
    let word = this.#state[this.#at++];
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  #twist(): void {
    const state = this.#state;
    for (let i = 0; i < SIZE; i++) {
      const mixed = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
      state[i] = state[(i + 397) % SIZE] ^ (mixed >>> 1) ^ (mixed & 1 ? 0x9908b0df : 0);
    }
    this.#at = 0;
  }
}
