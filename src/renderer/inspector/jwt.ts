// A token as anyone can read it, without a key; the command line reads it in the same way.

export {
  type DecodedJwt,
  decodeJwt,
  type JsonObject,
  jwtOf,
  type ReadPart,
  readToken,
  type ReadToken,
} from '../../control/reading/jwt.ts';
