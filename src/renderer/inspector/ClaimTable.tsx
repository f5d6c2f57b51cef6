import { Group, Text } from '@mantine/core';
import { useState, useMemo } from 'react';
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import {
  asText,
  type ClaimContext,
  explainClaims,
  explainHeader,
  type ExplainMember,
} from '../../oauth/claims.ts';
import type { JsonObject } from '../../json.ts';
import { capitalized } from '../../words.ts';
import { useIssuer, usePage } from '../connection/state.ts';
import { CopyButton } from '../ui/buttons.tsx';
import { sentence } from '../ui/problems.ts';
import { ToneLine } from '../ui/status.tsx';
import classes from './Inspector.module.css';

/** The page's data that explains claims. @param now sandbox time in ms */
export function useClaimContext(now: number): ClaimContext {
  const issuer = useIssuer();
  const users = usePage((state) => state.users);
  const clients = usePage((state) => state.clients);
  return {
    now,
    issuer,
    nameOf: (sub) => users.find((user) => user.sub === sub)?.name || null,
    isClient: (id) => clients.some(({ client_id }) => client_id === id),
  };
}

const CHARACTERS_AT_FIRST = 1000;
/** Rendering more would block the page. The whole text can be copied. */
const CHARACTERS_AT_MOST = 20_000;

const MORE = { gap: 4, ff: 'var(--font)', fz: 'var(--fs-xs)', c: 'dimmed' } as const;

interface LongTextProps {
  readonly text: string;
  /** The noun for the text in the labels of its buttons: "claim name". */
  readonly label: string;
}

/** Text of any length. Shows as much as can be rendered at once, and the number of further characters. */
export function LongText({ text, label }: LongTextProps) {
  const [most, setMost] = useState(CHARACTERS_AT_FIRST);
  if (text.length <= most) return text;
  const left = `${(text.length - most).toLocaleString('en')} more characters`;
  return (
    <>
      {text.slice(0, most)}
      <Group component="span" display="inline-flex" className={classes.more} {...MORE}>
        … {left}
        {most < CHARACTERS_AT_MOST && (
          <button type="button" onClick={() => setMost(CHARACTERS_AT_MOST)}>
            Show more<span className="visually-hidden"> of {label}</span>
          </button>
        )}
        <CopyButton value={text} label={`Copy ${label}`} />
      </Group>
    </>
  );
}

/** The problems of one part of a token, shown inside it. */
export function PartProblems({ problems }: { readonly problems: readonly string[] }) {
  return problems.map((problem) => (
    <ToneLine key={problem} tone="warn" icon={IconAlertTriangle}>
      {sentence(`it ${problem}`)}
    </ToneLine>
  ));
}

/** Rendering more would block the page. */
const MEMBERS_AT_FIRST = 100;

export type Part = 'header' | 'payload';

export const EXPLAIN = { header: explainHeader, payload: explainClaims } as const;

interface ClaimTableProps {
  /** That of the part by default. */
  readonly title?: string;
  readonly part: Part;
  readonly members: JsonObject;
  readonly explain: ExplainMember;
  /** The problems of the part, in words that follow its title. */
  readonly problems?: readonly string[];
  /** The members that deliberate mistakes change, each with the title of its mistake. */
  readonly wrong?: ReadonlyMap<string, string> | undefined;
}

export function ClaimTable(props: ClaimTableProps) {
  const { part, title = capitalized(part), members, explain, problems = [], wrong } = props;
  const [most, setMost] = useState(MEMBERS_AT_FIRST);
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
      {entries.length === 0 && (
        <Text fz="var(--fs-xs)" c="dimmed">
          An empty object.
        </Text>
      )}
      <dl>
        {shown.map(({ name, value, text }) => (
          <div key={name} data-wrong={wrong?.has(name) || undefined}>
            <dt>
              <LongText text={name} label={`name of ${name.slice(0, 20)}`} />
            </dt>
            <dd className={classes.value}>
              <LongText text={text} label={name.slice(0, 40)} />
            </dd>
            <Text component="dd" fz="var(--fs-xs)" c="dimmed">
              {explain(name, value)}
            </Text>
            {wrong?.has(name) === true && (
              <Group component="dd" gap={4} wrap="nowrap" fz="xs" c="var(--bad)">
                <IconCircleX size={14} aria-hidden="true" /> Deliberate mistake: {wrong.get(name)}
              </Group>
            )}
          </div>
        ))}
      </dl>
      {left > 0 && (
        <Group component="p" className={classes.more} {...MORE}>
          … {left.toLocaleString('en')} more members
          <button type="button" onClick={() => setMost(most + MEMBERS_AT_FIRST)}>
            Show more<span className="visually-hidden"> of the {part}</span>
          </button>
        </Group>
      )}
    </section>
  );
}
