// Sections of settings, keys, audiences, the workspace file and automation access. Labels, descriptions and bounds
// come from the schema of the settings; sections.ts only assigns settings to sections.

import { usePage } from '../../connection/state.ts';
import { hrefOf, navigate, type ViewProps } from '../../navigation/route.ts';
import { AppearanceSection } from './AppearanceSection.tsx';
import { AudiencesSection } from './AudiencesSection.tsx';
import { AutomationSection } from './AutomationSection.tsx';
import { KeysSection } from './KeysSection.tsx';
import { RegistrationSection } from './RegistrationSection.tsx';
import { ShapeSection } from './ShapeSection.tsx';
import { Section } from './Section.tsx';
import { SECTION_NAMES, VALUE_SECTIONS } from './sections.ts';
import { ServerSection } from './ServerSection.tsx';
import classes from './Settings.module.css';
import { ValueSetting } from './ValueSetting.tsx';
import { WorkspaceSection } from './WorkspaceSection.tsx';

const OTHERS: Readonly<Record<string, () => React.JSX.Element | null>> = {
  server: ServerSection,
  registration: RegistrationSection,
  shape: ShapeSection,
  keys: KeysSection,
  audiences: AudiencesSection,
  workspace: WorkspaceSection,
  automation: AutomationSection,
  appearance: AppearanceSection,
};

const FIRST = 'evaluation';

export function SettingsView({ item }: ViewProps) {
  const known = usePage((state) => state.settings !== null);
  const shown = SECTION_NAMES.some(({ id }) => id === item) && item !== null ? item : FIRST;
  const values = VALUE_SECTIONS.find(({ id }) => id === shown);
  const Other = OTHERS[shown];
  return (
    <div className={classes.view}>
      <nav className={classes.index} aria-label="Settings">
        {SECTION_NAMES.map(({ id, title }) => (
          <a
            key={id}
            className={classes.link}
            href={hrefOf('settings', id)}
            aria-current={id === shown ? 'page' : undefined}
            onClick={(event) => {
              event.preventDefault();
              void navigate('settings', id);
            }}
          >
            {title}
          </a>
        ))}
      </nav>
      <div className={classes.content}>
        {known && values !== undefined && (
          <Section title={values.title} about={values.about}>
            {values.items.map((setting) => (
              <ValueSetting key={setting.path} item={setting} />
            ))}
          </Section>
        )}
        {Other !== undefined && <Other />}
      </div>
    </div>
  );
}
