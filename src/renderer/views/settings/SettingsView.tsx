// Pages of settings, keys, audiences, the workspace file and automation access. Labels, descriptions and bounds come
// from the schema of the settings; sections.ts only assigns settings to sections.

import { Stack, Box } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { usePage } from '../../connection/state.ts';
import { hrefOf, navigate, type ViewProps } from '../../navigation/route.ts';
import { AppearanceSection } from './AppearanceSection.tsx';
import { AudiencesSection } from './AudiencesSection.tsx';
import { AutomationSection } from './AutomationSection.tsx';
import { KeysSection } from './KeysSection.tsx';
import { RegistrationSection } from './RegistrationSection.tsx';
import { ShapeSection } from './ShapeSection.tsx';
import { Section } from './Section.tsx';
import { PAGES, VALUE_SECTIONS } from './sections.ts';
import { ServerSection } from './ServerSection.tsx';
import rows from '../../ui/item.module.css';
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

function OneSection({ id }: { readonly id: string }) {
  const known = usePage((state) => state.settings !== null);
  const values = VALUE_SECTIONS.find((section) => section.id === id);
  const Other = OTHERS[id];
  if (Other !== undefined) return <Other />;
  if (!known || values === undefined) return null;
  return (
    <Section title={values.title} about={values.about}>
      {values.items.map((setting) => (
        <ValueSetting key={setting.path} item={setting} />
      ))}
    </Section>
  );
}

export function SettingsView({ item }: ViewProps) {
  const shown = PAGES.find(({ sections }) => item !== null && sections.includes(item)) ?? PAGES[0];
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const section = content.current?.querySelector(`[data-section="${item ?? ''}"]`);
    section?.scrollIntoView({ block: 'start' });
  }, [item]);
  return (
    <div className={classes.view}>
      <Stack component="nav" className={rows.index} gap={2} px="xs" py="sm" aria-label="Settings">
        {PAGES.map((page) => {
          const { title, sections } = page;
          const [first = null] = sections;
          return (
            <a
              key={title}
              className={rows.item}
              href={hrefOf('settings', first)}
              aria-current={page === shown ? 'page' : undefined}
              onClick={(event) => {
                event.preventDefault();
                void navigate('settings', first);
              }}
            >
              {title}
            </a>
          );
        })}
      </Stack>
      <Box className={classes.content} p={{ base: 'md', sm: 'lg' }} ref={content}>
        <Stack gap="xl">
          {shown?.sections.map((id) => (
            <div key={id} data-section={id}>
              <OneSection id={id} />
            </div>
          ))}
        </Stack>
      </Box>
    </div>
  );
}
