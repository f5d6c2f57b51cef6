import { Modal } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useStore } from 'zustand';
import { placeOf, type RuleReference } from './citations.ts';
import classes from './Citation.module.css';
import { opensAddresses } from './opens-addresses.ts';
import { hideRule, openRule, showRule } from './rule-store.ts';
import { ruleText } from './rule-text.ts';

/** A click on a link to another rule shows that rule in this dialog. */
function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const { book, number } = link?.dataset ?? {};
  if (number === undefined) return;
  event.preventDefault();
  showRule({ book: book === 'spec' ? 'spec' : 'behaviour', number });
}

/** The text of one rule, or of a section with its rules. */
export function RuleDialog({ rule }: { readonly rule: RuleReference }) {
  const { opened } = useStore(openRule);
  const text = ruleText(rule, { links: opensAddresses() });
  const book = rule.book === 'spec' ? 'Specification' : 'Behaviour';
  return (
    <Modal
      opened={opened}
      onClose={hideRule}
      returnFocus={false}
      size="lg"
      title={text === null ? book : `${book} ${text.title}`}
    >
      {text === null ? (
        <p>There is no such rule.</p>
      ) : (
        <div
          className={classes.rule}
          onClick={follow}
          dangerouslySetInnerHTML={{ __html: text.html }}
        />
      )}
      <p className={classes.place}>{placeOf(rule)}</p>
    </Modal>
  );
}
