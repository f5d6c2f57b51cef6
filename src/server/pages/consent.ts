// The sign-in and consent page: the user, the client, the scopes and the redirect URI. It works without scripts.
// Enter approves, because the first button of a form is its default.

import { html } from 'hono/html';
import { OAuthError } from '../../core/checks/errors.ts';
import { describeCause } from '../../core/checks/describe-cause.ts';
import type { Question } from '../../core/authorization/consent.ts';
import { type Content, framed, type SignInPage } from './layout.ts';
import { SIGN_IN_ERRORS } from '../../core/records/enumerations.ts';
import type { User } from '../../core/records/schemas.ts';

/** The facts for the consent page and for the page of a device. */
export type Choices = Pick<
  Question,
  'users' | 'suggested' | 'scopes' | 'authentication' | 'one_time_code'
> & {
  readonly required_scopes?: Question['required_scopes'];
  /** All by default. */
  readonly selected_scopes?: Question['selected_scopes'];
  /** What was wrong with the form that was submitted before. */
  readonly refusal?: Question['refusal'];
  /** null if the audience is decided later. */
  readonly audience: Question['audience'];
};

const SCOPE_WORDS: Readonly<Record<string, string>> = {
  openid: 'Your identity, in an ID token',
  profile: 'Your name',
  email: 'Your email address',
  address: 'Your postal address',
  phone: 'Your phone number',
  offline_access: 'Access while you are away',
};

/** A longer list would be unusable; `login_hint` selects any other user. */
const MOST_USERS = 100;

/** So many suggestions add some 100 kB to the page. */
const MOST_SUGGESTED = 1000;

/** Visible rows of a list. */
const LIST_IN_SIGHT = 4;

function shownUsers({ users, suggested }: Choices): readonly User[] {
  const first = users.slice(0, MOST_USERS);
  const named = users.find(({ sub }) => sub === suggested);
  return named === undefined || first.includes(named) ? first : [named, ...first];
}

/** Returns the number of entries if the list scrolls. */
function counted(count: number, what: string): Content | string {
  return count > LIST_IN_SIGHT ? html`<small>${count} ${what}s</small>` : '';
}

function userChoice(
  { sub, name, email, locked }: User,
  { suggested, refusal = null }: Choices,
): Content {
  const isSuggested = sub === suggested;
  // A wrong password or code is focused instead.
  const isFocused = isSuggested && (refusal === null || refusal.reason === 'sign_in_user_locked');
  const facts = [
    ...(email === '' ? [] : [email]),
    ...(name === '' ? [] : [html`<code>${sub}</code>`]),
    ...(locked === true ? ['locked'] : []),
  ];
  const about = facts.map((fact, index) => html`${index === 0 ? '' : ' · '}${fact}`);
  return html`<label class="choice">
    <input
      type="radio"
      name="sub"
      value="${sub}"
      required
      ${isSuggested ? 'checked' : ''}
      ${isFocused ? 'autofocus' : ''}
    />
    <span><b>${name || sub}</b><small>${about}</small></span>
  </label>`;
}

/** Finds one of many users without a script: the browser suggests those that match what is typed. */
function userFinder({ users }: Choices): Content {
  return html`<label class="text"
      >Find a user
      <input name="typed_sub" list="users" autocomplete="off" placeholder="Name, email or sub" />
    </label>
    <datalist id="users">
      ${users
        .slice(0, MOST_SUGGESTED)
        .map(
          ({ sub, name, email }) =>
            html`<option value="${sub}">
              ${[name, email].filter((text) => text !== '').join(' · ')}
            </option>`,
        )}
    </datalist>`;
}

/** The choice of a user who is not registered yet. */
const newUserChoice = (isOnly: boolean): Content =>
  html`<label class="choice">
    <input type="radio" name="sub" value="" required class="new" ${isOnly ? 'checked' : ''} />
    <span><b>Someone new</b><small>Is added to the users</small></span>
  </label>`;

/** Below the list, which scrolls; shown while someone new is selected. */
const newUserFields = (): Content =>
  html`<div class="person">
    <label class="text">Name <input name="new_name" maxlength="200" autocomplete="off" /></label>
    <label class="text"
      >Email <input name="new_email" inputmode="email" maxlength="255" autocomplete="off"
    /></label>
    <label class="check">
      <input type="checkbox" name="new_temporary" value="yes" />
      <span>For this time only: not saved, and forgotten by a reset</span>
    </label>
  </div>`;

function userChoices(question: Choices, extras: boolean): Content {
  const shown = shownUsers(question);
  if (shown.length === 0 && !extras) {
    return html`<p class="none">
      No user is registered. Add one in the workbench under Users, or with
      <code>POST /api/users</code> of the control API; then reload this page.
    </p>`;
  }
  const more = question.users.length - shown.length;
  return html`${question.users.length > LIST_IN_SIGHT ? userFinder(question) : ''}
    <div class="choices">
      ${shown.map((user) => userChoice(user, question))}
      ${extras ? newUserChoice(shown.length === 0) : ''}
    </div>
    ${extras ? newUserFields() : ''}
    ${
      more > 0
        ? html`<p class="foot">
            ${more} more users are not shown. Find one above, or send <code>login_hint</code> to
            select one.
          </p>`
        : ''
    }`;
}

function scopeChoices({
  scopes,
  required_scopes = [],
  selected_scopes = scopes,
  audience,
}: Choices): Content {
  if (scopes.length === 0) {
    return html`<p class="none">No scope was requested, so the tokens will have none.</p>`;
  }
  const ofApi = audience?.name ? `Scope of ${audience.name}` : 'Scope of the API';
  return html`<div class="choices">
    ${scopes.map(
      (scope) =>
        html`<label class="choice">
          <input
            type="checkbox"
            name="scope"
            value="${scope}"
            ${required_scopes.includes(scope) || selected_scopes.includes(scope) ? 'checked' : ''}
            ${required_scopes.includes(scope) ? 'disabled' : ''}
          />
          <span><code>${scope}</code><small>${SCOPE_WORDS[scope] ?? ofApi}</small></span>
        </label>`,
    )}
  </div>`;
}

const INVALID = html`aria-invalid="true" aria-describedby="problem" autofocus`;

/** The field for the code, and the code itself, which a real service would send to the user. */
function codeField(code: string, refusal: Choices['refusal']): Content {
  const isWrong = refusal?.reason === 'sign_in_code_wrong';
  return html`<label class="text"
      >One-time code
      <input
        name="one_time_code"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength="12"
        ${isWrong ? INVALID : html`aria-describedby="sent"`}
      />
    </label>
    <p id="sent">
      The code is
      <output name="code" class="code">${code.slice(0, 3)} ${code.slice(3)}</output>. A real service
      would send it to the user.
    </p>`;
}

function credentialFields({ authentication, one_time_code, refusal }: Choices): Content | string {
  if (authentication === 'none') return '';
  return html`<div class="credentials">
    <label class="text"
      >Password
      <input
        type="password"
        name="password"
        autocomplete="off"
        ${refusal?.reason === 'sign_in_password_wrong' ? INVALID : ''}
      />
    </label>
    ${one_time_code === null ? '' : codeField(one_time_code, refusal)}
  </div>`;
}

/** The fields and buttons of the form. Enter approves, because the first button is the default. */
export function decision(question: Choices, extras = false): Content {
  const { users, scopes } = question;
  return html`<div class="columns">
      <fieldset>
        <legend>Sign in as ${counted(users.length, 'user')}</legend>
        ${userChoices(question, extras)}
      </fieldset>
      <fieldset>
        <legend>Grant ${counted(scopes.length, 'scope')}</legend>
        ${scopeChoices(question)}
      </fieldset>
    </div>
    ${credentialFields(question)}
    <div class="actions">
      ${
        users.length === 0 && !extras
          ? ''
          : html`<button class="button main" name="decision" value="approve">Approve</button>`
      }
      <button class="button" name="decision" value="deny" formnovalidate>Deny</button>
    </div>`;
}

const ERROR_WORDS: Readonly<Record<(typeof SIGN_IN_ERRORS)[number], string>> = {
  login_required: 'the user could not sign in',
  server_error: 'the server failed',
  temporarily_unavailable: 'the server is overloaded',
};

/** For testers: claims that replace those of the user, in this sign-in only. */
function claimsField({ claims }: Question): Content {
  const text = claims === null ? '' : JSON.stringify(claims, null, 2);
  return html`<details class="rule" ${text === '' ? '' : 'open'}>
    <summary>Claims for this sign-in</summary>
    <p>A JSON object. Its members replace the user’s claims in the tokens of this sign-in only.</p>
    <label class="text"
      >Claims
      <textarea name="claims" rows="4" spellcheck="false" placeholder='{"roles": ["admin"]}'>
${text}</textarea>
    </label>
  </details>`;
}

/** For testers: buttons that send the app an error instead of a decision. */
function failures(): Content {
  return html`<details class="rule">
    <summary>Fail with an error</summary>
    <p>Sends the app an error, so that you can see how it handles it.</p>
    <ul class="errors">
      ${SIGN_IN_ERRORS.map(
        (error) =>
          html`<li>
            <button class="button" name="decision" value="${error}" formnovalidate>${error}</button>
            <small>${ERROR_WORDS[error]}</small>
          </li>`,
      )}
    </ul>
  </details>`;
}

export interface ConsentFacts extends Question, SignInPage {
  /** Name of the field with the form's token. */
  readonly form_field: string;
  /** The action of the form: the last segment of the path that shows it. */
  readonly action: string;
  /** Whether the page has its aids for testers. */
  readonly extras: boolean;
}

const clientName = ({ client }: Question) => client.client_name || client.client_id;

function audienceWords({ audience }: Question): Content | string {
  if (audience === null) return 'Determined at the token request';
  return html`${audience.name} <code>${audience.uri}</code>`;
}

/** What was wrong with the form or the code that was submitted before. */
export function problem(refusal: OAuthError): Content {
  const { summary, detail, advice } = describeCause(refusal);
  return html`<div class="why" role="alert" id="problem">
    <b>${summary}</b>
    ${detail === null ? '' : html`<p>${detail}</p>`}
    ${advice === null ? '' : html`<p>${advice}</p>`}
  </div>`;
}

const SELECT = 'Select the user who signs in and the scopes to grant';

const TO_ENTER: Readonly<Record<Question['authentication'], string>> = {
  none: '. The sandbox needs no password.',
  password: ', and enter the password if the user has one.',
  password_and_code: ', and enter the code, and the password if the user has one.',
};

/** What the user has to do, above the form. */
export function instructions({
  authentication,
  signed_in,
}: Pick<Question, 'authentication' | 'signed_in'>) {
  const isSpared = signed_in && authentication !== 'none';
  return `${SELECT}${TO_ENTER[authentication]}${isSpared ? ' A user who is already signed in need not enter anything.' : ''}`;
}

/** Returns what was wrong, or the reason why the user must sign in again; empty on a first visit. */
function noticeOf({ reason, refusal }: Question): Content | string {
  if (refusal !== null) return problem(refusal);
  if (reason === null || reason === 'sign_in_missing') return '';
  const { summary } = describeCause(new OAuthError(reason));
  return html`<p class="notice">${summary}</p>`;
}

export function consentPage(facts: ConsentFacts): Promise<string> {
  const { client, redirect_uri, form, form_field, exchange, nonce, look } = facts;
  const name = clientName(facts);
  const content = html`<h1>${name} asks for access</h1>
    <p>${instructions(facts)}</p>
    <dl>
      <dt>Client</dt>
      <dd><code>${client.client_id}</code></dd>
      <dt>Audience</dt>
      <dd>${audienceWords(facts)}</dd>
      <dt>Redirect URI</dt>
      <dd><code>${redirect_uri}</code></dd>
      ${
        facts.acr_values.length === 0
          ? ''
          : html`<dt>Requested acr</dt>
              <dd><code>${facts.acr_values.join(' ')}</code></dd>`
      }
    </dl>
    ${noticeOf(facts)}
    <form method="post" action="${facts.action}">
      <input type="hidden" name="${form_field}" value="${form}" />
      ${decision(facts, facts.extras)}
      ${facts.extras ? html`${claimsField(facts)} ${failures()}` : ''}
    </form>`;
  return framed({ title: `${name} asks for access`, nonce, exchange, look }, content);
}
