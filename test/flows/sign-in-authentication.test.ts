// Behaviour 7.5: the sign-in page and the page for devices ask for a password and a code, and for users who are locked.

import { describe, expect, it } from 'vitest';
import { DEVICE_CODE_GRANT } from '../../src/core/records/schemas.ts';
import { authorizePath } from '../support/form-calls.ts';
import { AUDIENCE, type HttpService, ownHttpService } from '../support/http-service.ts';
import { createPerson, formOf, type PageSeen } from '../support/person.ts';
import { present } from '../support/token-endpoints.ts';

type Authentication = 'none' | 'password' | 'password_and_code';

const GRANTS = ['authorization_code', 'refresh_token', 'password', DEVICE_CODE_GRANT] as const;

/** Ada has a password, Bob has none, Cleo is locked. */
async function start(authentication: Authentication, authorize = 'consent') {
  const settings = { profile: 'interop', authorize, sign_in_page: { authentication } };
  const http = await ownHttpService(settings, { grant_types: [...GRANTS] });
  http.changeUser('ada', { password: 'lovelace' });
  http.changeUser('ada', { sub: 'bob', name: 'Bob', password: null });
  http.changeUser('ada', { sub: 'cleo', name: 'Cleo', password: 'nile', locked: true });
  return { http, person: createPerson(http.url) };
}

const LINK = authorizePath({ state: 's', audience: AUDIENCE, scope: 'openid orders:read' });

const as = (sub: string, password: string, one_time_code?: string) =>
  Object.entries({ sub, password, ...(one_time_code === undefined ? {} : { one_time_code }) });

const codeOn = ({ text }: PageSeen): string =>
  /<output name="code"[^>]*>([\d ]+)</.exec(text)?.[1] ?? expect.fail('no code is shown');

const alertOn = ({ text }: PageSeen): string | undefined =>
  /role="alert"[^>]*>\s*<b>([^<]*)</.exec(text)?.[1];

const noteOf = (http: HttpService): unknown =>
  http
    .newest()
    ?.evaluation?.checks.find((check) => typeof check === 'object' && check.id === 'user');

const causeOf = (http: HttpService) => http.newest()?.evaluation?.refusal?.reason;

describe('behaviour 7.5: with a password', () => {
  it('a wrong one shows the form again, as it was filled in, and the app learns nothing', async () => {
    const { http, person } = await start('password');
    const page = await person.visit(LINK);
    const wrong = await person.decide(page, 'approve', [
      ...as('ada', 'byron'),
      ['scope', 'openid'],
    ]);
    expect([wrong.status, wrong.location]).toEqual([403, null]);
    expect(alertOn(wrong)).toBe('The password is wrong.');
    expect(causeOf(http)).toBe('sign_in_password_wrong');
    expect(formOf(wrong).fields).toEqual([
      ['grantbench_form', expect.not.stringMatching(formOf(page).fields[0]?.[1] ?? '')],
      ['sub', 'ada'],
      ['scope', 'openid'],
    ]);
    expect(wrong.text).not.toMatch(/byron|lovelace/);

    const right = await person.decide(wrong, 'approve', as('ada', 'lovelace'));
    expect(right.location?.searchParams.get('code')).toMatch(/./);
    expect(noteOf(http)).toMatchObject({
      got: 'ada',
      note: 'selected on the page, with the password',
    });
  });

  it('a user who has none enters anything', async () => {
    const { http, person } = await start('password');
    const { location } = await person.decide(await person.visit(LINK), 'approve', as('bob', ''));
    expect(location?.searchParams.has('code')).toBe(true);
    expect(noteOf(http)).toMatchObject({ note: 'selected on the page, no password is set' });
  });

  it('whoever is signed in is not asked for it again, but another user is', async () => {
    const { http, person } = await start('password');
    await person.decide(await person.visit(LINK), 'approve', as('ada', 'lovelace'));
    const SPARED = 'A user who is already signed in need not enter anything.';
    expect((await person.visit(`${LINK}&prompt=login`)).text).not.toContain(SPARED);
    const consent = await person.visit(`${LINK}&prompt=consent`);
    expect(consent.text).toContain(SPARED);
    const { location } = await person.decide(consent, 'approve', as('ada', ''));
    expect(location?.searchParams.has('code')).toBe(true);
    expect(noteOf(http)).toMatchObject({ note: 'selected on the page, already signed in' });

    http.changeUser('bob', { password: 'marley' });
    const again = await person.visit(`${LINK}&prompt=consent`);
    const other = await person.decide(again, 'approve', as('bob', ''));
    expect([other.status, alertOn(other)]).toEqual([403, 'The password is wrong.']);
    const sameAgain = await person.decide(
      await person.visit(`${LINK}&prompt=login`),
      'approve',
      as('ada', ''),
    );
    expect(alertOn(sameAgain)).toBe('The password is wrong.');
  });

  it('deny needs none', async () => {
    const { person } = await start('password');
    const { location } = await person.decide(await person.visit(LINK), 'deny');
    expect(location?.searchParams.get('error')).toBe('access_denied');
  });
});

describe('behaviour 7.5: with a password and a code', () => {
  it('the page shows six digits, and accepts them with spaces, but not those of another form', async () => {
    const { http, person } = await start('password_and_code');
    const former = codeOn(await person.visit(LINK));
    const page = await person.visit(LINK);
    expect(codeOn(page)).toMatch(/^\d{3} \d{3}$/);
    const wrong = await person.decide(page, 'approve', as('ada', 'lovelace', former));
    expect([wrong.status, alertOn(wrong)]).toEqual([403, 'The code is wrong.']);
    expect(causeOf(http)).toBe('sign_in_code_wrong');

    const right = await person.decide(wrong, 'approve', as('ada', 'lovelace', codeOn(wrong)));
    expect(right.location?.searchParams.has('code')).toBe(true);
    expect(noteOf(http)).toMatchObject({
      note: 'selected on the page, with the password, with the code',
    });
  });

  it('the password is checked first', async () => {
    const { person } = await start('password_and_code');
    const page = await person.visit(LINK);
    const wrong = await person.decide(page, 'approve', as('ada', 'byron', ''));
    expect(alertOn(wrong)).toBe('The password is wrong.');
  });
});

describe('behaviour 7.5: a locked user', () => {
  it('cannot sign in, and another one can on the page that tells it', async () => {
    const { http, person } = await start('none');
    const page = await person.visit(LINK);
    expect(page.text).toMatch(/Cleo<\/b><small>[^/]*<code>cleo<\/code>\s*·\s*locked/);
    const locked = await person.decide(page, 'approve', [['sub', 'cleo']]);
    expect([locked.status, alertOn(locked)]).toEqual([403, 'The account of the user is locked.']);
    expect(causeOf(http)).toBe('sign_in_user_locked');
    const { location } = await person.decide(locked, 'approve', [['sub', 'ada']]);
    expect(location?.searchParams.has('code')).toBe(true);
  });

  it('stays signed in', async () => {
    const { http, person } = await start('none');
    await person.decide(await person.visit(LINK), 'approve', [['sub', 'ada']]);
    http.changeUser('ada', { locked: true });
    const silent = await person.visit(`${LINK}&prompt=none`);
    expect(silent.location?.searchParams.has('code')).toBe(true);
  });

  it('is denied where no page asks', async () => {
    const { person } = await start('none', 'auto');
    const { location } = await person.visit(`${LINK}&login_hint=cleo`);
    expect(location?.searchParams.get('error')).toBe('access_denied');
    expect(location?.searchParams.get('error_description')).toBe(
      'the account of the user is locked',
    );
  });

  it('gets no tokens with the password grant, and the response does not say why', async () => {
    const { http } = await start('none');
    const user = { username: 'cleo', password: 'nile' };
    const answer = await present(http.url, '/oauth/token', { grant_type: 'password', ...user });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'username or password is wrong' },
    ]);
    expect(causeOf(http)).toBe('username_locked');
  });
});

describe('behaviour 7.5: the page for devices', () => {
  async function open(authentication: Authentication) {
    const { http, person } = await start(authentication);
    const order = { audience: AUDIENCE, scope: 'openid' };
    const { body } = await present(http.url, '/oauth/device_authorization', order);
    const ask = () => person.post('/device', [['user_code', String(body['user_code'])]]);
    return { http, person, ask };
  }

  it('asks for the password and the code, too', async () => {
    const { http, person, ask } = await open('password_and_code');
    const wrong = await person.decide(await ask(), 'approve', as('ada', 'byron', ''));
    expect([wrong.status, alertOn(wrong)]).toEqual([403, 'The password is wrong.']);
    const page = await ask();
    const right = await person.decide(page, 'approve', as('ada', 'lovelace', codeOn(page)));
    expect(right.text).toContain('Device approved');
    expect(noteOf(http)).toMatchObject({
      note: 'selected on the page, with the password, with the code',
    });
  });

  it('does not let a locked user in', async () => {
    const { person, ask } = await open('none');
    const locked = await person.decide(await ask(), 'approve', [['sub', 'cleo']]);
    expect([locked.status, alertOn(locked)]).toEqual([403, 'The account of the user is locked.']);
  });
});
