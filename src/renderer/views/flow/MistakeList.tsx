import { Group, Text, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { type HTMLAttributes, type KeyboardEvent, type ReactNode, useState } from 'react';
import type { Refusal } from '../../../control/schemas/refusals.ts';
import type { Mistake } from '../../../scenario/mistakes/mistake.ts';
import type { WalkStepId } from '../../../scenario/walks.ts';
import { filtered } from '../../ui/grid/arrange.ts';
import { pluralize } from '../../../words.ts';
import { useChoice, useFlow } from './flow-store.ts';
import {
  expectedAt,
  loadRefusals,
  obstacleAt,
  placeOf,
  runMistake,
  runMistakes,
} from './mistakes.ts';
import rows from '../../ui/item.module.css';
import classes from './Flow.module.css';
import { Hint } from '../../ui/panel.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';

interface Offered {
  readonly mistake: Mistake;
  /** Why the mistake cannot be made now; null when it can. */
  readonly blocked: string | null;
  /** The expected response in words; null until the refusals have loaded. */
  readonly expected: string | null;
}

const textOf = ({ mistake: { title, sends, section }, expected }: Offered): string =>
  `${title} ${sends} ${expected ?? ''} ${section}`;

/** Moves the focus through the filter and the list with the arrow keys, and wraps around. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [role="menuitem"]')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[(at + by + stops.length) % stops.length]?.focus();
  event.preventDefault();
}

interface ItemProps {
  readonly blocked: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

const Item = ({ blocked, onChoose, children }: ItemProps) => (
  <button
    type="button"
    role="menuitem"
    className={`${rows.item} ${classes.item}`}
    aria-disabled={blocked || undefined}
    onClick={blocked ? undefined : onChoose}
  >
    {children}
  </button>
);

function MistakeWords({ mistake, blocked, expected }: Offered) {
  return (
    <>
      <Text span display="block" fw="var(--w-medium)">
        {mistake.title}
      </Text>
      <Hint span display="block">
        {blocked ?? mistake.sends}
      </Hint>
      {expected !== null && (
        <Text span display="block" fz="var(--fs-xs)" ff="monospace" c="dimmed">
          expected{' '}
          <Text
            span
            inherit
            fw="var(--w-medium)"
            c={expected === 'accepted' ? 'var(--ok)' : 'var(--bad)'}
          >
            {expected}
          </Text>
        </Text>
      )}
    </>
  );
}

const NONE: readonly Refusal[] = [];

/** So many mistakes with the same obstacle are one line, unless the user filters. */
const FOLDED = 3;

/** The mistakes to list, and for each frequent obstacle how many it blocks. */
function withoutFrequent(found: readonly Offered[]) {
  const counts = new Map<string, number>();
  for (const { blocked } of found) {
    if (blocked !== null) counts.set(blocked, (counts.get(blocked) ?? 0) + 1);
  }
  const frequent = [...counts].filter(([, count]) => count >= FOLDED);
  const listed = found.filter(({ blocked }) => !frequent.some(([reason]) => reason === blocked));
  return { listed, frequent };
}

const Label = (props: HTMLAttributes<HTMLParagraphElement>) => (
  <Text p="var(--s2) var(--s2h) var(--s1)" fz="var(--fs-xs)" fw="bold" c="dimmed" {...props} />
);

interface MistakeListProps {
  readonly step: WalkStepId;
  readonly onChoose: () => void;
}

export function MistakeList({ step, onChoose }: MistakeListProps) {
  const [text, setText] = useState('');
  // The mistakes can be made before the list has loaded, or without it.
  const refusals = useLoaded(loadRefusals, 0).known ?? NONE;
  // The obstacles depend on the choice and the document, so their changes render the list again.
  useChoice();
  useFlow((state) => state.document);
  const place = placeOf(step);
  if (place === null) return null;
  const offer = (mistake: Mistake): Offered => ({
    mistake,
    blocked: obstacleAt(step, mistake),
    expected: expectedAt(place, mistake, refusals),
  });
  const groups = place.groups
    .map(({ name, mistakes }) => ({ name, found: filtered(mistakes.map(offer), text, textOf) }))
    .filter(({ found }) => found.length > 0);
  const isFiltered = text.trim() !== '';
  const all = groups.flatMap(({ found }) => found);
  const possible = all.filter(({ blocked }) => blocked === null).map(({ mistake }) => mistake);
  const impossible = all.length - possible.length;
  const choose = (run: () => Promise<void>) => () => {
    onChoose();
    void run();
  };
  return (
    <div onKeyDown={moveFocus}>
      <TextInput
        data-autofocus
        className={classes.filter ?? ''}
        aria-label="Filter mistakes"
        placeholder="Filter mistakes"
        leftSection={<IconSearch size="1.1em" aria-hidden="true" />}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {all.length === 0 ? (
        <Label role="status">No matching mistakes</Label>
      ) : (
        <>
          {impossible > 0 && (
            <Label>
              {pluralize(impossible, 'mistake')} cannot be made now, for the reasons given.
            </Label>
          )}
          <div role="menu" aria-label="Mistakes">
            {possible.length > 1 && (
              <Item blocked={false} onChoose={choose(() => runMistakes(step, possible))}>
                <Group component="span" gap="xs" fw="var(--w-medium)">
                  <IconPlayerPlay size="1.1em" aria-hidden="true" />
                  {`Run ${isFiltered ? 'these' : 'all'} ${possible.length} mistakes`}
                </Group>
              </Item>
            )}
            {groups.map(({ name, found }) => {
              const { listed, frequent } = isFiltered
                ? { listed: found, frequent: [] }
                : withoutFrequent(found);
              return (
                <div key={name} role="group" aria-label={name}>
                  <Label aria-hidden="true">{name}</Label>
                  {listed.map((offered) => (
                    <Item
                      key={offered.mistake.id}
                      blocked={offered.blocked !== null}
                      onChoose={choose(() => runMistake(step, offered.mistake))}
                    >
                      <MistakeWords {...offered} />
                    </Item>
                  ))}
                  {frequent.map(([reason, count]) => (
                    <Item key={reason} blocked onChoose={onChoose}>
                      <Hint span display="block">
                        {`${listed.length === 0 ? count : `${count} more`}: ${reason}`}
                      </Hint>
                    </Item>
                  ))}
                </div>
              );
            })}
          </div>
        </>
      )}
    </div>
  );
}
