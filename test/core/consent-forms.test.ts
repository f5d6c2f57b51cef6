// The forms of the consent page can be submitted once, for a limited time, and by their own browser.

import { describe, expect, test } from 'vitest';
import { createConsentForms } from '../../src/core/authorization/consent-forms.ts';
import { describeChecks } from '../../src/core/checks/describe-checks.ts';
import { createSessions } from '../../src/core/authorization/sessions.ts';
import {
  answerOf,
  authorizationRequest,
  createAuthorizationBench,
  expectPage,
  questionOf,
} from '../support/authorization.ts';
import { checkOf, seededRandom, sha256 } from '../support/core.ts';

describe('a submitted form', () => {
  test('is accepted exactly once among simultaneous submissions', async () => {
    const { ask, decide } = createAuthorizationBench();
    const { form } = questionOf(await ask());
    const crowd = await Promise.all(Array.from({ length: 50 }, () => decide({ form })));
    expect(crowd.filter(({ outcome }) => outcome !== null)).toHaveLength(1);
  });

  test('is rejected from another browser, and remains valid in its own', async () => {
    const { ask, decide } = createAuthorizationBench();
    const { form } = questionOf(await ask());
    const stranger = { session: null, browser: 'another' };
    expectPage(await decide({ form }, stranger), 'form_of_other_browser');
    answerOf(await decide({ form }));
  });

  test('behaviour 6: expires by the sandbox clock', async () => {
    const { ask, decide, advance } = createAuthorizationBench();
    const { form } = questionOf(await ask());
    advance(1800);
    expectPage(await decide({ form }), 'form_expired', 'expired 0 s ago');
  });

  test('is unknown when this service did not create it', async () => {
    expectPage(await createAuthorizationBench().decide({ form: 'x' }), 'form_unknown');
  });

  test('behaviour 3: appears in the trace', async () => {
    const { ask, decide } = createAuthorizationBench();
    const asked = await ask();
    expect(checkOf(asked, 'form')).toBeUndefined();
    const decided = await decide({ form: questionOf(asked).form });
    expect(checkOf(decided, 'form')?.verdict).toBe('passed');
    const last = describeChecks(decided.evaluation, false).at(-1);
    expect(last).toMatchObject({ id: 'consent', note: 'approved on the page' });
  });
});

describe('memory', () => {
  test('forms are bounded, and the oldest is removed first', () => {
    const forms = createConsentForms(seededRandom(), sha256, { entries: 2, bytes: Infinity });
    const open = () => forms.open(authorizationRequest(), 'browser', 0);
    const [oldest, ...newer] = [open(), open(), open()];
    expect(() => forms.take(oldest, 'browser', 0, 1)).toThrow('form_unknown');
    for (const form of newer) forms.take(form, 'browser', 0, 1);
  });

  test('sessions are bounded, and the oldest is removed first', () => {
    const sessions = createSessions(seededRandom(), () => 60, { entries: 2, bytes: Infinity });
    const ids = ['ada', 'bob', 'eve'].map((sub) => sessions.begin(sub, undefined, 0).id);
    expect(ids.map((id) => sessions.find(id, 0)?.sub)).toEqual([undefined, 'bob', 'eve']);
  });

  test('the clients of a session are bounded, and the one that was signed in to first is removed first', () => {
    const sessions = createSessions(seededRandom(), () => 60);
    const session = sessions.begin('ada', undefined, 0);
    const named = Array.from({ length: 102 }, (_, n) => `app-${n}`);
    for (const client_id of named) sessions.enter(session, { client_id, sid: 'x' });
    // An app that the user signs in to again is the latest, and is not counted twice.
    sessions.enter(session, { client_id: 'app-2', sid: 'y' });
    expect(sessions.clientsOf('ada')).toEqual([
      ...named.slice(3).map((client_id) => ({ client_id, sid: 'x' })),
      { client_id: 'app-2', sid: 'y' },
    ]);
  });
});
