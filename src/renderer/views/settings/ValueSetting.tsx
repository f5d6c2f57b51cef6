import { Select, Switch } from '@mantine/core';
import type { SettingItem } from './sections.ts';
import { SettingRow } from './SettingRow.tsx';
import { TypedSetting } from './TypedSetting.tsx';
import { useSetting } from './use-setting.ts';

/** One setting, saved as soon as it is chosen or its field is left. */
export function ValueSetting({ item }: { readonly item: SettingItem }) {
  const setting = useSetting(item.path);
  const { value, error, saved, commit } = setting;
  if (item.kind === 'switch') {
    return (
      <SettingRow label={item.label} help={item.help} saved={saved} end>
        {(ids) => (
          <Switch
            size="sm"
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            checked={value === true}
            error={error}
            onChange={(event) => void commit(event.currentTarget.checked)}
          />
        )}
      </SettingRow>
    );
  }
  if (item.kind === 'choice') {
    const chosen = typeof value === 'string' ? value : '';
    const about = item.options[chosen];
    return (
      <SettingRow
        label={item.label}
        saved={saved}
        help={
          <>
            {item.help} {about !== undefined && <b>{about}</b>}
          </>
        }
      >
        {(ids) => (
          <Select
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            data={Object.keys(item.options)}
            value={chosen}
            allowDeselect={false}
            error={error}
            renderOption={({ option }) => (
              <span>
                <b>{option.label}</b>
                <br />
                {item.options[option.value]}
              </span>
            )}
            onChange={(picked) => void commit(picked)}
          />
        )}
      </SettingRow>
    );
  }
  return <TypedSetting item={item} setting={setting} />;
}
