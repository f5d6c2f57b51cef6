import { NumberInput, TextInput } from '@mantine/core';
import { useTypedSetting } from '../../actions/use-setting.ts';
import { defaultInWords } from '../../ui/number-field.tsx';
import type { SettingItem } from './sections.ts';
import { SettingRow } from './SettingRow.tsx';

interface TypedSettingProps {
  readonly item: Extract<SettingItem, { kind: 'number' | 'text' }>;
}

/** A setting that is typed, with what its number means in words. */
export function TypedSetting({ item }: TypedSettingProps) {
  const setting = useTypedSetting(item.path, item.kind === 'number' ? Number : String);
  const { typed, setTyped, field } = setting;
  const words = item.kind === 'number' && typed !== '' ? item.words?.(Number(typed)) : undefined;
  return (
    <SettingRow
      label={item.label}
      saved={setting.saved}
      help={
        words === undefined ? (
          item.help
        ) : (
          <>
            {item.help} <b>{words}</b>
          </>
        )
      }
    >
      {(ids) =>
        item.kind === 'number' ? (
          <NumberInput
            {...field}
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            thousandSeparator=","
            allowDecimal={false}
            clampBehavior="none"
            {...item.bounds}
            suffix={item.unit === '' ? '' : ` ${item.unit}`}
            placeholder={item.placeholder ?? defaultInWords(item) ?? ''}
            onChange={setTyped}
          />
        ) : (
          <TextInput
            {...field}
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            placeholder={item.placeholder}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )
      }
    </SettingRow>
  );
}
