/**
 * The random numbers of `numpy.random.default_rng(seed).standard_normal(count)`, from which noise of goldens was made:
 * a seed's entropy mixed to a state, PCG64 (XSL-RR), and a ziggurat of 256 layers.
 *
 * @module
 */
const WORD = (1n << 64n) - 1n;
const STATE = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

/** The first `count` normal numbers of a seed. */
export function numpyNormals(seed: number, count: number): Float64Array {
  const next = pcg64(seed);
  const uniform = () => Number(next() >> 11n) / 2 ** 53;
  return Float64Array.from({ length: count }, () => normal(next, uniform));
}

const LAYERS = 256;
/** Where the tail begins, and the area of every layer. */
const TAIL = 3.6541528853610088;
const AREA = 0.00492867323397465524494;
const SCALE = 2 ** 52;
const { within, width, height } = ziggurat();

function ziggurat() {
  const within = new Float64Array(LAYERS);
  const width = new Float64Array(LAYERS);
  const height = new Float64Array(LAYERS);
  const density = (x: number) => Math.exp(-0.5 * x * x);
  let edge = TAIL;
  const base = AREA / density(TAIL);
  within[0] = (edge / base) * SCALE;
  width[0] = base / SCALE;
  width[LAYERS - 1] = edge / SCALE;
  height[0] = 1;
  height[LAYERS - 1] = density(edge);
  for (let i = LAYERS - 2; i >= 1; i--) {
    const inner = Math.sqrt(-2 * Math.log(AREA / edge + density(edge)));
    within[i + 1] = (inner / edge) * SCALE;
    height[i] = density(inner);
    width[i] = inner / SCALE;
    edge = inner;
  }
  return { within, width, height };
}

function normal(next: () => bigint, uniform: () => number): number {
  for (;;) {
    const word = next();
    const layer = Number(word & 0xffn);
    const size = Number((word >> 9n) & 0xfffffffffffffn);
    const x = (word >> 8n) & 1n ? -size * width[layer] : size * width[layer];
    if (size < within[layer]) return x;
    if (layer === 0) {
      for (;;) {
        const beyond = -Math.log1p(-uniform()) / TAIL;
        const y = -Math.log1p(-uniform());
        if (y + y > beyond * beyond) return (word >> 17n) & 1n ? -(TAIL + beyond) : TAIL + beyond;
      }
    }
    if ((height[layer - 1] - height[layer]) * uniform() + height[layer] < Math.exp(-0.5 * x * x)) return x;
  }
}

function pcg64(seed: number): () => bigint {
  const [a, b, c, d] = entropy(seed);
  const increment = ((((c << 64n) | d) << 1n) | 1n) & STATE;
  const step = (state: bigint) => (state * MULTIPLIER + increment) & STATE;
  let state = step((step(0n) + ((a << 64n) | b)) & STATE);
  return () => {
    state = step(state);
    const mixed = (state >> 64n) ^ (state & WORD);
    const turn = state >> 122n;
    return ((mixed >> turn) | (mixed << ((64n - turn) & 63n))) & WORD;
  };
}

/** What `SeedSequence(seed).generate_state(4, uint64)` gives. */
function entropy(seed: number): bigint[] {
  let constant = 0x43b0d7e5;
  const hashed = (value: number) => {
    value ^= constant;
    constant = Math.imul(constant, 0x931e8875);
    value = Math.imul(value, constant);
    return value ^ (value >>> 16);
  };
  const mixed = (x: number, y: number) => {
    const value = Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y);
    return value ^ (value >>> 16);
  };
  const pool = [seed, 0, 0, 0].map(hashed);
  for (let from = 0; from < 4; from++) {
    for (let to = 0; to < 4; to++) if (from !== to) pool[to] = mixed(pool[to], hashed(pool[from]));
  }
  constant = 0x8b51f9dd;
  const words = Array.from({ length: 8 }, (_, i) => {
    let value = pool[i % 4] ^ constant;
    constant = Math.imul(constant, 0x58f38ded);
    value = Math.imul(value, constant);
    return BigInt((value ^ (value >>> 16)) >>> 0);
  });
  return [0, 2, 4, 6].map((i) => words[i] | (words[i + 1] << 32n));
}
