import { Menu } from '@mantine/core';
import { setDialect, setProfile } from '../actions/sandbox.ts';
import { DIALECTS, DIALECT_WORDS, PROFILES, PROFILE_WORDS } from '../../control/names.ts';
import { usePage } from '../connection/state.ts';
import { profileReach } from '../ui/short-forms.ts';
import { useNeed } from '../ui/use-need.ts';
import classes from './TopBar.module.css';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly names: readonly T[];
  readonly words: Record<T, string>;
  readonly value: T;
  readonly pick: (name: T) => unknown;
}

function Choice<T extends string>({ label, names, words, value, pick }: ChoiceProps<T>) {
  const choose = (wanted: string) => {
    const name = names.find((known) => known === wanted);
    if (name !== undefined) pick(name);
  };
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      <Menu.RadioGroup value={value} onChange={choose}>
        {names.map((name) => (
          <Menu.RadioItem key={name} value={name} closeMenuOnClick>
            <b>{name}</b>
            <p>{words[name]}</p>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

/** The profile and dialect of the settings, for whom the profile is in force, and a menu to change either. */
export function ProfileMenu() {
  const profile = usePage((state) => state.settings?.profile);
  const dialect = usePage((state) => state.settings?.dialect);
  const needs = useNeed('connection');
  const reach = usePage(({ clients, settings }) =>
    settings === null ? '' : profileReach(clients, settings.profile),
  );
  if (profile === undefined || dialect === undefined) return null;
  return (
    <Menu position="bottom-start" width="20rem">
      <Menu.Target>
        <button
          type="button"
          className={classes.pill}
          aria-label={`Profile: ${[profile, reach].join(' ').trim()}, dialect: ${dialect}`}
          {...needs}
        >
          <span className={classes.minor}>Profile</span>
          <b>{profile}</b>
          {reach !== '' && <span>{reach}</span>}
          {dialect !== 'rfc6749' && <span className={classes.minor}>· {dialect}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Choice
          label="Profile: how strictly requests are validated, unless a client has its own"
          names={PROFILES}
          words={PROFILE_WORDS}
          value={profile}
          pick={setProfile}
        />
        <Menu.Divider />
        <Choice
          label="Dialect: how errors look on the wire"
          names={DIALECTS}
          words={DIALECT_WORDS}
          value={dialect}
          pick={setDialect}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
