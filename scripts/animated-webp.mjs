// Makes an animated WebP from still ones, in the extended WebP container format. Each frame covers the whole picture.

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
const HAS_ANIMATION = 0x02;
const DO_NOT_BLEND = 0x02;
/** The chunks of a still file with the picture data. */
const PICTURE = new Set(['ALPH', 'VP8 ', 'VP8L']);

/** @typedef {{ readonly still: Buffer, readonly ms: number }} Frame */

/** @param {number} value */
const uint24 = (value) => Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff]);

/** @param {string} name @param {Buffer} content */
function chunk(name, content) {
  const head = Buffer.alloc(CHUNK_HEADER);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Returns the chunks of a still WebP file with its picture. @param {Buffer} still */
function pictureIn(still) {
  const found = [];
  for (let at = RIFF_HEADER; at < still.length;) {
    const length = CHUNK_HEADER + still.readUInt32LE(at + 4);
    const end = at + length + (length % 2);
    if (PICTURE.has(still.toString('latin1', at, at + 4))) found.push(still.subarray(at, end));
    at = end;
  }
  return Buffer.concat(found);
}

/**
 * Returns an animation that repeats forever. All stills must have the given size.
 *
 * @param {readonly Frame[]} frames
 * @param {{ readonly width: number, readonly height: number }} size
 */
export function animatedWebp(frames, { width, height }) {
  const canvas = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const body = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    chunk('VP8X', Buffer.concat([Buffer.from([HAS_ANIMATION, 0, 0, 0]), canvas])),
    chunk('ANIM', Buffer.alloc(6)),
    ...frames.map(({ still, ms }) =>
      chunk(
        'ANMF',
        Buffer.concat([
          uint24(0),
          uint24(0),
          canvas,
          uint24(ms),
          Buffer.from([DO_NOT_BLEND]),
          pictureIn(still),
        ]),
      ),
    ),
  ]);
  return chunk('RIFF', body);
}
