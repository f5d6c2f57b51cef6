import { Checkbox } from '@mantine/core';
import {
  MISTAKE_GROUPS,
  TOKEN_MISTAKE_NAMES,
  TOKEN_MISTAKES,
  type TokenMistake,
} from '../../../../control/names.ts';
import classes from '../Tokens.module.css';
import { toggleMistake } from './build-store.ts';

interface MistakeListProps {
  readonly wrong: readonly TokenMistake[];
  /** Why they cannot be made. */
  readonly problem: string | undefined;
}

/** What is to be wrong with the token; of two that exclude each other, the one chosen last. */
export function MistakeList({ wrong, problem }: MistakeListProps) {
  return (
    <div className={classes.mistakes} role="group" aria-label="Mistakes">
      {MISTAKE_GROUPS.map((group) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {TOKEN_MISTAKE_NAMES.filter((name) => TOKEN_MISTAKES[name].group === group).map(
            (name) => (
              <Checkbox
                key={name}
                label={TOKEN_MISTAKES[name].title}
                description={TOKEN_MISTAKES[name].text}
                checked={wrong.includes(name)}
                onChange={() => toggleMistake(name)}
              />
            ),
          )}
        </fieldset>
      ))}
      {problem !== undefined && (
        <p className={classes.refused} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
