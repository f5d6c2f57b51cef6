import { Section } from './Section.tsx';
import type { SettingsSection } from './sections.ts';
import { ValueSetting } from './ValueSetting.tsx';

export function ValueSection({ section }: { readonly section: SettingsSection }) {
  return (
    <Section title={section.title} about={section.about}>
      {section.items.map((item) => (
        <ValueSetting key={item.path} item={item} />
      ))}
    </Section>
  );
}
