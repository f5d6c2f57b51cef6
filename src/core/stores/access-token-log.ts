// The newest issued access tokens, for viewers and to find opaque tokens, which are only known by their records. The
// records of self-contained tokens lose their text after a while.

import type { Bounds } from '../collections/bounded-map.ts';
import { type AccessTokenRecord, credentialId } from '../model/credentials.ts';
import type { Wanted } from '../model/ports.ts';
import { createRing } from '../collections/ring.ts';
import { textBytes } from '../collections/weight.ts';
import type { AccessTokenId } from '../model/access-token-id.ts';

export type AccessTokenLog = ReturnType<typeof createAccessTokenLog>;

const isOpaque = ({ format }: AccessTokenRecord) => format === 'opaque';

/**
 * @param records bounds of the access tokens that have a record
 * @param texts bounds of those whose record has their text
 */
export function createAccessTokenLog(records: Bounds, texts: Bounds) {
  const log = createRing<AccessTokenRecord>(records.entries);
  const tokens = new Map<string, AccessTokenRecord>();
  const opaqueTokens = new Map<string, AccessTokenRecord>();
  /** How many of the newest records have their text or are opaque. */
  let withText = 0;
  /** Bytes of the records without their texts, and of the texts that can be dropped. */
  const bytes = { records: 0, texts: 0 };

  const textOf = (token: AccessTokenRecord) =>
    token.value === null || isOpaque(token) ? 0 : textBytes(token.value);
  /** Drops the oldest text. An opaque token keeps its text, as it is found by it. */
  const dropOldestText = () => {
    withText -= 1;
    const token = log.newest(withText);
    if (token === undefined) return;
    bytes.texts -= textOf(token);
    if (!isOpaque(token)) token.value = null;
  };
  const dropOldest = () => {
    if (withText >= log.size) dropOldestText();
    const gone = log.dropOldest();
    if (gone === undefined) return;
    bytes.records -= gone.bytes;
    tokens.delete(credentialId(gone));
    if (gone.value !== null) opaqueTokens.delete(gone.value);
  };
  return {
    add: (token: AccessTokenRecord) => {
      if (log.size >= records.entries) dropOldest();
      log.add(token);
      tokens.set(credentialId(token), token);
      if (token.value !== null && isOpaque(token)) opaqueTokens.set(token.value, token);
      bytes.records += token.bytes;
      bytes.texts += textOf(token);
      withText += 1;
      while (withText > texts.entries || bytes.texts > texts.bytes) dropOldestText();
      while (bytes.records > records.bytes) dropOldest();
    },
    find: ({ epoch, lineage, n }: AccessTokenId): AccessTokenRecord | undefined => {
      const found = tokens.get(`${lineage}.${n}`);
      return found?.lineage.epoch === epoch ? found : undefined;
    },
    findOpaque: (value: string) => opaqueTokens.get(value),
    newestFirst: function* () {
      for (let age = 0; age < log.size; age++) {
        const token = log.newest(age);
        if (token !== undefined) yield token;
      }
    },
    /** Iterates over all of them. */
    countLive: (isLive: Wanted): number => {
      let live = 0;
      for (let age = 0; age < log.size; age++) {
        const token = log.newest(age);
        if (token !== undefined && isLive(token)) live += 1;
      }
      return live;
    },
    clear: () => {
      log.clear();
      tokens.clear();
      opaqueTokens.clear();
      withText = 0;
      bytes.records = 0;
      bytes.texts = 0;
    },
  };
}
