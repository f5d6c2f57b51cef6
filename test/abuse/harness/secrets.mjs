// All configured and issued secrets that the harness knows, and a search for them in any output. A secret is
// identified by its first and last sixteen characters, so that parts of it are found, too; a JWT by the first ones of
// its signature. The search is linear in the text, whatever the number of secrets (Rabin-Karp).

const LENGTH = 16;
const BASE = 257;
/** BASE to the power of LENGTH - 1, in 32 bits: the weight of the byte that leaves the window. */
const LEADING = Array.from({ length: LENGTH - 1 }).reduce((power) => Math.imul(power, BASE), 1);
const FILTER_BITS = 1 << 22;

const isJwt = (text) => /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(text);

function hashOf(bytes) {
  let hash = 0;
  for (let index = 0; index < LENGTH; index++) hash = (Math.imul(hash, BASE) + bytes[index]) | 0;
  return hash;
}

const slot = (hash) => (hash ^ (hash >>> 13)) & (FILTER_BITS - 1);

/** @param most newest secrets that are looked for */
export function createSecrets(most = 200_000) {
  /** The identifying parts of each secret, with its name. */
  const known = new Map();
  const filter = new Uint8Array(FILTER_BITS);

  const addNeedle = (needle, name) => {
    if (needle.length < LENGTH || known.has(needle)) return;
    known.set(needle, name);
    const index = slot(hashOf(Buffer.from(needle, 'latin1')));
    filter[index] = Math.min(255, filter[index] + 1);
    if (known.size <= most) return;
    const [oldest] = known.keys();
    known.delete(oldest);
    // A counter at 255 may have overflowed, so its slot stays.
    const left = slot(hashOf(Buffer.from(oldest, 'latin1')));
    if (filter[left] < 255) filter[left] -= 1;
  };
  const add = (secret, name) => {
    if (isJwt(secret)) {
      const from = secret.lastIndexOf('.') + 1;
      addNeedle(secret.slice(from, from + LENGTH), name);
    } else {
      addNeedle(secret.slice(0, LENGTH), name);
      addNeedle(secret.slice(-LENGTH), name);
    }
  };
  return {
    add,
    /** As Basic credentials too; the end of the text is that of the secret. */
    addConfigured: (secret, name, id) => {
      add(secret, name);
      const basic = Buffer.from(`${id}:${secret}`).toString('base64').replace(/=+$/, '');
      addNeedle(basic.slice(-LENGTH), `${name} as Basic`);
    },
    size: () => known.size,
    /** The first secret in it with its surroundings, or null. */
    find: (text) => {
      const bytes = Buffer.from(text, 'utf8');
      let hash = 0;
      for (let index = 0; index < bytes.length; index++) {
        if (index >= LENGTH) {
          hash = (hash - Math.imul(bytes[index - LENGTH], LEADING)) | 0;
        }
        hash = (Math.imul(hash, BASE) + bytes[index]) | 0;
        if (filter[slot(hash)] === 0 || index < LENGTH - 1) continue;
        const start = index - LENGTH + 1;
        const name = known.get(bytes.toString('latin1', start, index + 1));
        if (name === undefined) continue;
        const around = bytes.toString('latin1', Math.max(0, start - 200), start + 60);
        return { name, around };
      }
      return null;
    },
  };
}
