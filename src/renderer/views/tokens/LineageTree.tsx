import type { Lineage } from '../../../control/schemas.ts';
import { navigate } from '../../navigation/route.ts';
import { clockInWords } from '../../../oauth/moments.ts';
import { asOf } from './credential.ts';
import { ExchangeLink } from '../../exchange/ExchangeLink.tsx';
import { KindName } from './KindName.tsx';
import { LifeCell } from './LifeCell.tsx';
import classes from './Lineage.module.css';
import { originInWords, treeOf, type Member, type TreeRow } from './lineage-tree.ts';
import { StateTag } from './StateTag.tsx';

interface LineageTreeProps {
  readonly lineage: Lineage;
  /** The member that is open. */
  readonly open: string;
  /** Sandbox time in ms. */
  readonly now: number;
}

/** Everything issued from one authorization, from the code down. */
export function LineageTree({ lineage, open, now }: LineageTreeProps) {
  return (
    <ul className={classes.tree} aria-label={`Lineage ${lineage.lineage_id}`}>
      {treeOf(lineage).map((row) => (
        <li key={row.member?.id ?? 'origin'} className={classes.row}>
          <Branches lines={row.lines} />
          {row.member === null ? (
            <p className={classes.origin}>{originInWords(lineage)}</p>
          ) : (
            <MemberRow
              member={asOf(row.member, now)}
              parent={row.parent}
              open={row.member.id === open}
              now={now}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The lines that tie a row to those above it. */
function Branches({ lines }: Pick<TreeRow, 'lines'>) {
  return lines.map((line, level) => (
    <span key={level} className={classes.line} data-line={line} aria-hidden="true" />
  ));
}

interface MemberRowProps {
  readonly member: Member;
  readonly parent: boolean;
  readonly open: boolean;
  readonly now: number;
}

function MemberRow({ member, parent, open, now }: MemberRowProps) {
  return (
    <div className={classes.member} data-open={open || undefined} data-parent={parent || undefined}>
      <button
        type="button"
        className={classes.name}
        aria-current={open || undefined}
        onClick={() => void navigate('tokens', member.id)}
      >
        <KindName kind={member.kind} id={member.id} />
        <StateTag state={member.state} />
      </button>
      <span className={classes.life}>
        <LifeCell credential={member} now={now} />
      </span>
      <p className={classes.story}>
        <Story member={member} now={now} />
      </p>
    </div>
  );
}

/** When and by which exchange it was issued and ended, and what was presented for it. */
function Story({ member, now }: { readonly member: Member; readonly now: number }) {
  const { issued_at, issued_by, ended_at, ended_by, state, parent_id } = member;
  const at = (time: string) => clockInWords(Date.parse(time), now);
  return (
    <>
      issued {at(issued_at)}{' '}
      {issued_by === null ? (
        'directly'
      ) : (
        <>
          by <ExchangeLink number={issued_by} />
        </>
      )}
      {parent_id !== null && ` from ${parent_id}`}
      {ended_at !== null && (
        <>
          {` · ${state} ${at(ended_at)} `}
          {ended_by !== null && (
            <>
              by <ExchangeLink number={ended_by} />
            </>
          )}
        </>
      )}
    </>
  );
}
