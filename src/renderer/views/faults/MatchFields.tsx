import { Autocomplete, type InputWrapperProps } from '@mantine/core';
import { useMemo } from 'react';
import { GRANT_TYPES } from '../../../control/names.ts';
import { usePage } from '../../connection/state.ts';
import type { RuleFieldsProps } from './rule-fields.ts';
import classes from '../../ui/form.module.css';

const PATHS = [
  '/oauth/token',
  '/authorize',
  '/userinfo',
  '/oauth/introspect',
  '/oauth/revoke',
  '/oauth/par',
  '/.well-known/jwks.json',
  '/.well-known/*',
];
const METHODS = ['GET', 'POST'];
const BELOW = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
} satisfies InputWrapperProps;
const MONO = { classNames: { input: classes.mono }, spellCheck: false } as const;

/** Which requests run into the rule. All that is given must fit. */
export function MatchFields({ form }: RuleFieldsProps) {
  const clients = usePage((state) => state.clients);
  const ids = useMemo(() => clients.map(({ client_id }) => client_id), [clients]);
  return (
    <fieldset className={classes.group}>
      <legend>For which requests</legend>
      <p className={classes.note}>
        All given conditions must match. An empty field matches anything.
      </p>
      <div className={classes.pair}>
        <Autocomplete
          label="Path"
          placeholder="any"
          description="* stands for any characters"
          {...BELOW}
          data={PATHS}
          {...MONO}
          {...form.getInputProps('match.path')}
        />
        <Autocomplete
          label="Method"
          placeholder="any but OPTIONS"
          data={METHODS}
          {...MONO}
          {...form.getInputProps('match.method')}
        />
        <Autocomplete
          label="Grant"
          placeholder="any"
          data={[...GRANT_TYPES]}
          {...MONO}
          {...form.getInputProps('match.grant_type')}
        />
        <Autocomplete
          label="Client"
          placeholder="any"
          data={ids}
          {...MONO}
          {...form.getInputProps('match.client_id')}
        />
      </div>
    </fieldset>
  );
}
