import { IconCircleX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { asText, type ExplainMember } from '../../oauth/claims.ts';
import classes from './Inspector.module.css';
import type { JsonObject } from '../../oauth/json-object.ts';
import { LongText } from './LongText.tsx';
import { PartProblems } from './PartProblems.tsx';

/** More would hold up the page. */
const AT_FIRST = 100;

interface ClaimTableProps {
  readonly title: string;
  readonly part: 'header' | 'payload';
  readonly members: JsonObject;
  readonly explain: ExplainMember;
  /** What is wrong with the part, in words that follow its title. */
  readonly problems?: readonly string[];
  /** Members that are wrong on purpose, each with the name of the mistake. */
  readonly wrong?: ReadonlyMap<string, string> | undefined;
}

/** A part of the token, name by name, with what each says. */
export function ClaimTable({
  title,
  part,
  members,
  explain,
  problems = [],
  wrong,
}: ClaimTableProps) {
  const [most, setMost] = useState(AT_FIRST);
  const entries = useMemo(() => Object.entries(members), [members]);
  const shown = useMemo(
    () => entries.slice(0, most).map(([name, value]) => ({ name, value, text: asText(value) })),
    [entries, most],
  );
  const left = entries.length - most;
  return (
    <section className={classes.part} data-part={part} aria-label={title}>
      <h3>{title}</h3>
      <PartProblems problems={problems} />
      {entries.length === 0 && <p className={classes.words}>An empty object.</p>}
      <dl>
        {shown.map(({ name, value, text }) => (
          <div key={name} data-wrong={wrong?.has(name) || undefined}>
            <dt>
              <LongText text={name} label={`name of ${name.slice(0, 20)}`} />
            </dt>
            <dd className={classes.value}>
              <LongText text={text} label={name.slice(0, 40)} />
            </dd>
            <dd className={classes.words}>{explain(name, value)}</dd>
            {wrong?.has(name) === true && (
              <dd className={classes.wrong}>
                <IconCircleX aria-hidden="true" /> Wrong on purpose: {wrong.get(name)}
              </dd>
            )}
          </div>
        ))}
      </dl>
      {left > 0 && (
        <p className={classes.more}>
          … {left.toLocaleString('en')} more members
          <button type="button" onClick={() => setMost(most + AT_FIRST)}>
            Show more<span className="visually-hidden"> of the {part}</span>
          </button>
        </p>
      )}
    </section>
  );
}
