import { Menu } from '@mantine/core';
import { setProfile } from '../../actions.ts';
import { PROFILES } from '../../../control/schemas.ts';
import { PROFILE_WORDS } from '../../words.ts';
import { usePage } from '../../state.ts';
import classes from './TopBar.module.css';

function pick(wanted: string) {
  const profile = PROFILES.find((name) => name === wanted);
  if (profile !== undefined) void setProfile(profile);
}

/** The profile and dialect in force, and a menu to change the profile. */
export function ProfileMenu() {
  const profile = usePage((state) => state.settings?.profile);
  const dialect = usePage((state) => state.settings?.dialect);
  if (profile === undefined) return null;
  return (
    <Menu position="bottom-start" width="20rem">
      <Menu.Target>
        <button type="button" className={classes.pill} aria-label={`Profile: ${profile}`}>
          <span className={classes.minor}>Profile</span>
          <b>{profile}</b>
          {dialect !== 'rfc6749' && <span className={classes.minor}>· {dialect}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={profile} onChange={pick}>
          {PROFILES.map((name) => (
            <Menu.RadioItem key={name} value={name} closeMenuOnClick>
              <b>{name}</b>
              <p>{PROFILE_WORDS[name]}</p>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
