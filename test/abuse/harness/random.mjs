// Seeded random numbers (mulberry32). Each attack has its own generator, from the seed and its number, so that it is
// reproducible independently of others.

const LONGEST_UNIT = 128;

/** Spreads a seed and a number over 32 bits. */
const mixed = (seed, number) => Math.imul((seed ^ Math.imul(number, 0x9e3779b1)) >>> 0, 0x85ebca6b);

export function createRandom(seed, number = 0) {
  let state = mixed(seed, number) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit) => Math.floor(next() * limit);
  const between = (least, most) => least + below(most - least + 1);
  const pick = (list) => list[below(list.length)];
  return {
    next,
    below,
    between,
    pick,
    chance: (probability) => next() < probability,
    /** A size with a uniform distribution of its number of digits. */
    size: (most) => Math.floor((most + 1) ** next()) - 1,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
    /** Long text repeats its random part, which is long enough to be unique. */
    text: (length, alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789-_') => {
      const unit = Array.from({ length: Math.min(length, LONGEST_UNIT) }, () => pick(alphabet));
      return unit
        .join('')
        .repeat(Math.ceil(length / LONGEST_UNIT))
        .slice(0, length);
    },
    /** @param entries each with a weight */
    weighted: (entries) => {
      let left = next() * entries.reduce((sum, { weight }) => sum + weight, 0);
      return entries.find(({ weight }) => (left -= weight) < 0) ?? entries[0];
    },
  };
}
