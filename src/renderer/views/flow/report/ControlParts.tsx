import { Facts } from '../../../report/Facts.tsx';
import { elided } from '../../../ui/short-forms.ts';
import type { DecisionEvent, IssueEvent } from '../flow-state.ts';

/** A code that control issued, in place of a sign-in. */
export function IssueParts({
  event: { request, sub, code, expires_at },
}: {
  readonly event: IssueEvent;
}) {
  const facts = [
    ['Code', elided(code)],
    ['Client', request.client_id],
    ['User', sub],
    ['Redirect URI', request.redirect_uri],
    ['Audience', request.audience ?? 'none named'],
    ['Scope', request.scope ?? 'none asked for'],
    ['Expires', expires_at],
  ] as const;
  return (
    <>
      <p className="muted">Issued from the workbench in place of a sign-in.</p>
      <Facts facts={facts} />
    </>
  );
}

/** What was decided about a device, in place of its user or at the page. */
export function DecisionParts({ event }: { readonly event: DecisionEvent }) {
  const { user_code, client_id, sub, scope } = event;
  const facts = [
    ['User code', user_code],
    ['Client', client_id],
    ['User', sub ?? 'none'],
    ['Scope', scope === '' ? 'none' : scope],
  ] as const;
  return <Facts facts={facts} />;
}
