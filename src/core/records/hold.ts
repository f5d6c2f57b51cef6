// Rules that hold exchanges of an app (behaviour 8.8), and what may be edited before a held one goes on. They belong to
// a session and are never saved.

import { isJsonObject } from '../../json.ts';
import { editsSchema, SIGNATURE_WORDS } from './edit.ts';
import { answerSchema, matchSchema } from './fault.ts';
import { ALWAYS, flag, milliseconds, oneOf, orNull, whole } from './members.ts';
import { described, z } from './zod.ts';

const HOUR_MS = 3_600_000;

export const holdRuleSchema = z
  .strictObject({
    match: matchSchema,
    at: described(
      z._default(oneOf(['request', 'response']), 'request'),
      'request: held before it is evaluated. response: held after it was evaluated, before the response is sent.',
    ),
    rejected_only: described(
      z._default(flag(), false),
      'Whether only rejected requests are held; only with at: response.',
    ),
    sent_by: described(
      z._default(oneOf(['app', 'scenario']), 'app'),
      'Whose requests are held. Those of the workbench and of the command line are never held.',
    ),
    times: described(
      z._default(orNull(whole(1, 1_000_000)), null),
      'The number of exchanges to hold: 1 for only the next; null for all.',
    ),
    release_after_ms: described(
      z._default(milliseconds(1, HOUR_MS), 300_000),
      'Milliseconds (machine time) after which a held exchange is released unchanged.',
    ),
  })
  .check(
    z.superRefine((rule, ctx) => {
      if (!isJsonObject(rule) || !rule.rejected_only || rule.at === 'response') return;
      const message = 'must be false with at: request, which is not evaluated yet';
      ctx.addIssue({ code: 'custom', path: ['rejected_only'], message });
    }, ALWAYS),
  );

const { status, headers } = answerSchema.shape;

/** What is changed in a held response. */
export const responseEditsSchema = z.strictObject({
  status: described(z.optional(status), 'HTTP status to send instead, 200 to 599.'),
  headers: described(
    headers,
    'Pairs of name and value. Each replaces the headers of this name, or is added.',
  ),
  members: described(
    z._default(editsSchema(0), []),
    'Edits of members of a JSON body, or of the parameters of an authorization response.',
  ),
  claims: described(
    z._default(editsSchema(0), []),
    'Edits of claims of the ID token, which is signed again.',
  ),
  jose_header: described(
    z._default(editsSchema(0), []),
    'Edits of the JOSE header of the ID token, which is signed again.',
  ),
  sign: described(
    z._default(oneOf(SIGNATURE_WORDS), 'published_key'),
    'What an edited ID token is signed with.',
  ),
  keep_hashes: described(
    z._default(flag(), false),
    'Whether at_hash and c_hash of the ID token stay as they are when the access token or the code is edited; otherwise they are recomputed.',
  ),
});

export type HoldRule = z.infer<typeof holdRuleSchema>;
export type ResponseEdits = z.infer<typeof responseEditsSchema>;
