import { NumberInput, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import type { SettingItem } from './sections.ts';
import { SettingRow } from './SettingRow.tsx';
import type { SettingHandle } from './use-setting.ts';

interface TypedSettingProps {
  readonly item: Extract<SettingItem, { kind: 'number' | 'text' }>;
  readonly setting: SettingHandle;
}

/** What is typed over which saved value; a newer saved value makes it void. */
interface Edit {
  readonly of: string | number;
  readonly typed: string | number;
}

const blurOnEnter = (event: KeyboardEvent<HTMLInputElement>) => {
  if (event.key === 'Enter') event.currentTarget.blur();
};

/** A setting that is typed: kept as typed until the field is left, and after a refusal too. */
export function TypedSetting({ item, setting }: TypedSettingProps) {
  const { value } = setting;
  const saved = typeof value === 'number' || typeof value === 'string' ? value : '';
  const [edit, setEdit] = useState<Edit | null>(null);
  const typed = edit?.of === saved ? edit.typed : saved;
  const setTyped = (now: string | number) => {
    setEdit({ of: saved, typed: now });
  };
  const common = {
    value: typed,
    error: setting.error,
    onKeyDown: blurOnEnter,
  };
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
            {...common}
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            thousandSeparator=","
            allowDecimal={false}
            suffix={item.unit === '' ? '' : ` ${item.unit}`}
            {...(item.placeholder === undefined ? {} : { placeholder: item.placeholder })}
            onChange={setTyped}
            onBlur={() => void setting.commit(typed === '' ? null : Number(typed))}
          />
        ) : (
          <TextInput
            {...common}
            aria-labelledby={ids.name}
            aria-describedby={ids.help}
            placeholder={item.placeholder}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onBlur={() => void setting.commit(typed === '' ? null : typed)}
          />
        )
      }
    </SettingRow>
  );
}
