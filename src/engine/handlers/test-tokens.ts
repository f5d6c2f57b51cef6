// Tokens that are signed for a test: what signs them is loaded with the first.

import type { SignedToken, TokenMistake } from '../../control/schemas.ts';
import type { TOKEN_MISTAKES } from '../../core/records/token-mistakes.ts';
import type { EngineParts } from '../parts.ts';
import { granted } from './granted.ts';
import { os } from './os.ts';

type Expected = SignedToken['expected'];

const ANSWERS: Readonly<Record<Expected, string>> = {
  accepted:
    'The response to a valid token, if its issuer is trusted and the audience is the resource server; what it demands of claims and scopes is its own.',
  rejected: '401 with the error invalid_token in WWW-Authenticate (RFC 6750 3.1).',
  either:
    'That is for the resource server to decide: the response to a valid token, or 401 with the error invalid_token (RFC 6750 3.1).',
};

function expectedOf(wrong: readonly TokenMistake[], mistakes: typeof TOKEN_MISTAKES): Expected {
  if (wrong.length === 0) return 'accepted';
  return wrong.every((name) => mistakes[name].optional) ? 'either' : 'rejected';
}

export function signHandler({ service }: EngineParts) {
  return os.tokens.sign.handler(async ({ input }) => {
    const [{ signTestToken }, { TOKEN_MISTAKES }] = await Promise.all([
      import('../../core/test-tokens/sign.ts'),
      import('../../core/records/token-mistakes.ts'),
    ]);
    const signed = await granted(signTestToken(service, input));
    const expected = expectedOf(input.wrong, TOKEN_MISTAKES);
    const mistakes = input.wrong.map((name) => {
      const { text, rule } = TOKEN_MISTAKES[name];
      return { name, text, rule };
    });
    return { ...signed, expected, answer: ANSWERS[expected], mistakes };
  });
}
