import { PanelHead } from '../../../ui/PanelHead.tsx';
import { StatusTag } from '../../../ui/StatusTag.tsx';
import type { DecisionEvent } from '../flow-state.ts';
import { DECIDED } from '../step-words.ts';
import classes from '../../../ui/facts.module.css';

const WORDS = {
  approve: 'The device was approved. Its next poll gets the tokens.',
  deny: 'The device was denied. Its next poll is answered with access_denied.',
  expire: 'Both codes of the device were expired. Its next poll is answered with expired_token.',
} as const;

/** A decision about a device: no request of the device belongs to it. */
export function DecisionDetail({ event }: { readonly event: DecisionEvent }) {
  const { decision, user_code, client_id, sub, scope } = event;
  const rows = [
    ['User code', user_code],
    ['Client', client_id],
    ...(sub === null
      ? []
      : [
          ['User', sub],
          ['Granted scope', scope === '' ? 'none' : scope],
        ]),
  ] as const;
  return (
    <>
      <PanelHead title={<span className="mono">{decision}</span>}>
        <StatusTag tone={decision === 'approve' ? 'ok' : 'warn'}>{DECIDED[decision]}</StatusTag>
      </PanelHead>
      <p className={classes.lead}>{WORDS[decision]}</p>
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
