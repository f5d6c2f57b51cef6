// The response types of authorization requests (RFC 6749 3.1.1, OAuth 2.0 Multiple Response Types 3).

/** Those that are supported, each with its words in alphabetical order. */
export const RESPONSE_TYPES = ['code', 'code id_token', 'id_token'] as const;
export type ResponseType = (typeof RESPONSE_TYPES)[number];

/** Returns the words of a response type, whose order has no meaning; a longer value than any supported one has none. */
export const responseTypeWords = (type = ''): readonly string[] =>
  type.length > 100 ? [] : type.split(' ').toSorted();

/** Returns the supported response type of this name, in its usual spelling; undefined if there is none. */
export const responseTypeNamed = (type: string | undefined): ResponseType | undefined => {
  const words = responseTypeWords(type).join(' ');
  return RESPONSE_TYPES.find((supported) => supported === words);
};
