import { StatusTag } from '../../../ui/StatusTag.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { useSandboxNow } from '../../../connection/clock.ts';
import type { IssueEvent } from '../flow-state.ts';
import { momentInWords } from '../../../../oauth/moments.ts';
import classes from '../../../ui/facts.module.css';

/** A code that was issued from the workbench, in place of a person at the sign-in page. */
export function IssueDetail({ event }: { readonly event: IssueEvent }) {
  const now = useSandboxNow();
  const { request, code, expires_at, redirect_to, sub } = event;
  const left = Date.parse(expires_at);
  const rows: readonly (readonly [string, string])[] = [
    ['Code', code],
    ['Redirects to', redirect_to],
    ['Client', request.client_id],
    ['User', sub],
    ['Redirect URI', request.redirect_uri],
    ['Audience', request.audience ?? 'none: decided when the code is exchanged'],
    ['Scope', request.scope ?? 'none requested'],
    [
      'PKCE',
      request.code_challenge === undefined ? 'no challenge' : `S256 ${request.code_challenge}`,
    ],
  ];
  return (
    <>
      <PanelHead
        title={<span className="mono">authorize</span>}
        note={
          left > now ? `expires ${momentInWords(left, now)}` : `expired ${momentInWords(left, now)}`
        }
      >
        <StatusTag tone="ok">issued</StatusTag>
        <CopyButton value={redirect_to} label="Copy redirect" text="Copy" />
      </PanelHead>
      <p className={classes.lead}>
        Issued directly, without a sign-in. An app would find this URL in the Location header of the
        redirect.
      </p>
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name} className={classes.pair}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
