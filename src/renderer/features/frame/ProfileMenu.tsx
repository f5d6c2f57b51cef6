import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { setProfile } from '../../actions.ts';
import { PROFILES } from '../../../control/schemas.ts';
import { PROFILE_WORDS } from '../../words.ts';
import { usePage } from '../../state.ts';
import classes from './TopBar.module.css';

/** The profile and dialect in force, and a menu to change the profile. */
export function ProfileMenu() {
  const profile = usePage((state) => state.settings?.profile);
  const dialect = usePage((state) => state.settings?.dialect);
  if (profile === undefined) return null;
  return (
    <Menu position="bottom-start" width="20rem" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <button type="button" className={classes.pill} aria-label={`Profile: ${profile}`}>
          <span className={classes.minor}>Profile</span>
          <b>{profile}</b>
          {dialect !== 'rfc6749' && <span className={classes.minor}>· {dialect}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {PROFILES.map((name) => (
          <Menu.Item
            key={name}
            role="menuitemradio"
            aria-checked={name === profile}
            onClick={() => void setProfile(name)}
            rightSection={name === profile ? <IconCheck size="1em" /> : null}
          >
            <b>{name}</b>
            <p>{PROFILE_WORDS[name]}</p>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
