import { keysOf } from '../navigation/command.ts';
import { usePage } from '../connection/state.ts';
import { ArmedPill } from './ArmedPill.tsx';
import { ClockPill } from './ClockPill.tsx';
import { openPalette } from './palette-store.ts';
import { ProfileMenu } from './ProfileMenu.tsx';
import { RateSparkline } from './RateSparkline.tsx';
import { ServerPill } from './ServerPill.tsx';
import { StartStop } from './StartStop.tsx';
import { ThemeMenu } from './ThemeMenu.tsx';
import classes from './TopBar.module.css';

export function TopBar() {
  const known = usePage((state) => state.server !== null);
  return (
    <header className={classes.bar}>
      <span className={classes.brand}>
        <span className={classes.mark} aria-hidden="true">
          g
        </span>
        <span className={classes.name}>Grantbench</span>
      </span>
      {known && (
        <>
          <ServerPill />
          <StartStop />
          <ProfileMenu />
          <ClockPill />
          <ArmedPill />
        </>
      )}
      <span className={classes.space} />
      {known && <RateSparkline />}
      <button
        type="button"
        className={classes.pill}
        onClick={openPalette}
        aria-label="Command palette"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <span className={classes.words}>Search or run</span>
        <kbd>{keysOf('mod+K')}</kbd>
      </button>
      <ThemeMenu />
    </header>
  );
}
