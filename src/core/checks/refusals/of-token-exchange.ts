// Checks 8 to 12 of a token exchange (RFC 8693). Every problem with the tokens is invalid_request (2.2.2).

import { type RefusalFacts, done, expired, failing, owner, revoked } from './refusal.ts';

const field = (facts: RefusalFacts) => facts.field ?? 'the token type';

const AGAIN = 'Get a new token, and exchange it while it is valid.';

export const TOKEN_EXCHANGE_REFUSALS = {
  ...failing('token_type', 'invalid_request', {
    token_type_unsupported: {
      description: (facts) => `${field(facts)} is not a supported token type (RFC 8693 3)`,
      summary: (facts) => `The ${field(facts)} is not a supported token type.`,
      detail: (facts) => `${field(facts)} is ${facts.got ?? 'another type'}`,
      advice: (facts) => `Send one of ${facts.expected ?? 'the supported types'}.`,
    },
    actor_token_incomplete: {
      description: 'actor_token and actor_token_type must be sent together (RFC 8693 2.1)',
      summary: 'Only one of actor_token and actor_token_type was sent.',
      detail: (facts) => `only ${facts.got ?? 'one of them'} was sent`,
      advice: 'Send both, each with a value, or neither.',
    },
  }),
  ...failing('credential_known', 'invalid_request', {
    subject_token_unknown: {
      description:
        'the subject_token is not a token of this issuer, or not of its subject_token_type',
      summary:
        'The subject token was not issued by this service, or its type differs from subject_token_type.',
      detail: (facts) => facts.got ?? 'no token matches it',
      advice: 'Send an unmodified token of this sandbox with its correct subject_token_type.',
    },
  }),
  ...failing('credential_client', 'invalid_request', {
    subject_token_of_other_client: {
      description: 'the subject_token was not issued to this client',
      summary: 'The subject token is not an access token, and was issued to another client.',
      detail: owner,
      advice: 'Exchange the access token instead, which any client may present.',
    },
  }),
  ...failing('credential_live', 'invalid_request', {
    subject_token_expired: {
      description: 'the subject_token is no longer valid: it has expired',
      summary: 'The subject token has expired.',
      detail: expired,
      advice: AGAIN,
    },
    subject_token_revoked: {
      description: 'the subject_token is no longer valid: it was revoked',
      summary: 'The subject token or its whole lineage was revoked.',
      detail: revoked,
      advice: AGAIN,
    },
    subject_token_rotated: {
      description: 'the subject_token is no longer valid: it was replaced',
      summary: 'The subject token is a refresh token that was replaced by a newer one.',
      detail: done('replaced'),
      advice: 'Send the newest refresh_token.',
    },
  }),
  ...failing('user', 'invalid_request', {
    subject_user_unknown: {
      description: 'the subject_token stands for a user who is no longer registered',
      summary: 'The user that the subject token was issued for is no longer registered.',
      advice: 'Register the user again, or authorize as another user.',
    },
  }),
  ...failing('actor', 'invalid_request', {
    actor_token_not_valid: {
      description:
        'the actor_token is not a valid token of this issuer, or not of its actor_token_type',
      summary:
        'The actor token is not a valid token of this service, differs from actor_token_type, or was issued to another client.',
      detail: (facts) =>
        facts.client === undefined ? (facts.got ?? 'no token matches it') : owner(facts),
      advice:
        'Send a valid token of the actor with its correct actor_token_type. Only an access token may be that of another client.',
    },
    actor_not_allowed: {
      description: 'may_act of the subject_token does not name this actor (RFC 8693 4.4)',
      summary: 'The claim may_act of the subject token names a different actor.',
      detail: (facts) => `may_act is ${facts.expected ?? '?'}, the actor is ${facts.got ?? '?'}`,
      advice:
        'Send the actor_token of the party in may_act, or change the custom claim of the user or client.',
    },
    actors_too_many: {
      description: (facts) =>
        `act must not name more than ${facts.expected ?? '10'} actors, one in another`,
      summary: 'The new token would have too many nested actors.',
      advice: 'Exchange a token with fewer nested actors.',
    },
  }),
  ...failing('scope', 'invalid_scope', {
    scope_beyond_subject: {
      description: 'scope must not exceed that of the subject_token where both audiences define it',
      summary: 'The request asks for a scope that the subject token does not have.',
      detail: (facts) =>
        `${facts.got ?? 'a scope'} is not in the subject token, which has ${facts.expected ?? 'less'}`,
      advice: 'Request at most the scope of the subject token, or omit scope.',
    },
  }),
};
