import { Group, Image, NumberInput, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTypedSetting, useSetting } from '../../actions/use-setting.ts';
import { wordsIn } from '../../../words.ts';
import { ActionButton } from '../../ui/buttons.tsx';
import { defaultInWords } from '../../ui/number-field.tsx';
import { Problem } from '../../ui/panel.tsx';
import { chooseFile } from '../../ui/save-file.ts';
import { useNeed } from '../../ui/use-need.ts';
import { useObstacle } from '../../connection/reach.ts';
import type { SettingItem } from './sections.ts';
import { SettingRow, SwitchRow } from './Section.tsx';

type ItemOf<Kind extends SettingItem['kind']> = Extract<SettingItem, { kind: Kind }>;

const wordsOf = (typed: string | number) => wordsIn(String(typed));

const READERS = { number: Number, text: String, list: wordsOf };

/** A typed setting, with the meaning of its number in words. */
function TypedSetting({ item }: { readonly item: ItemOf<'number' | 'text' | 'list'> }) {
  const emptied = item.kind === 'list' ? item.emptied : null;
  const setting = useTypedSetting(item.path, READERS[item.kind], emptied);
  const { typed, setTyped, field } = setting;
  const meaning = item.kind === 'number' && typed !== '' ? item.words?.(Number(typed)) : undefined;
  return (
    <SettingRow label={item.label} help={item.help} meaning={meaning} saved={setting.saved}>
      {(labels) =>
        item.kind === 'number' ? (
          <NumberInput
            {...field}
            {...labels}
            thousandSeparator=","
            allowDecimal={false}
            allowNegative={false}
            clampBehavior="none"
            {...item.bounds}
            suffix={item.unit === '' ? '' : ` ${item.unit}`}
            placeholder={item.placeholder ?? defaultInWords(item) ?? ''}
            onChange={setTyped}
          />
        ) : (
          <TextInput
            {...field}
            {...labels}
            placeholder={item.placeholder}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )
      }
    </SettingRow>
  );
}

function SwitchSetting({ item }: { readonly item: ItemOf<'switch'> }) {
  const needs = useNeed('connection');
  const { value, error, saved, commit } = useSetting(item.path);
  return (
    <SwitchRow
      label={item.label}
      help={item.help}
      saved={saved}
      checked={value === true}
      error={error}
      {...needs}
      onChange={commit}
    />
  );
}

function ChoiceSetting({ item }: { readonly item: ItemOf<'choice'> }) {
  const disabled = useObstacle('connection') !== null;
  const { value, error, saved, commit } = useSetting(item.path);
  const chosen = typeof value === 'string' ? value : (item.unset ?? '');
  return (
    <SettingRow label={item.label} help={item.help} meaning={item.values[chosen]} saved={saved}>
      {(labels) => (
        <Select
          {...labels}
          data={Object.keys(item.values)}
          value={chosen}
          disabled={disabled}
          error={error}
          renderOption={({ option }) => (
            <span>
              <b>{option.label}</b>
              <br />
              {item.values[option.value]}
            </span>
          )}
          onChange={(picked) => void commit(picked)}
        />
      )}
    </SettingRow>
  );
}

/** @throws DOMException if the file cannot be read */
const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new DOMException());
    reader.readAsDataURL(file);
  });

/** A larger file is not read: its data URL would be longer than the settings accept. */
const MAX_FILE_BYTES = 65_536;
const TOO_LARGE = `The file must have at most ${MAX_FILE_BYTES.toLocaleString('en')} bytes.`;
const UNREADABLE = 'The file cannot be read.';

function ImageSetting({ item }: { readonly item: ItemOf<'image'> }) {
  const { value, error, saved, commit } = useSetting(item.path);
  const [problem, setProblem] = useState<string | null>(null);
  const keep = async (file: File) => {
    const isTooLarge = file.size > MAX_FILE_BYTES;
    setProblem(isTooLarge ? TOO_LARGE : null);
    if (!isTooLarge) await dataUrlOf(file).then(commit, () => setProblem(UNREADABLE));
  };
  const choose = () => chooseFile(keep, 'image/png,image/jpeg');
  const shown = problem ?? error;
  return (
    <SettingRow label={item.label} help={item.help} saved={saved} end>
      {(labels) => (
        <>
          <Group gap="xs">
            {typeof value === 'string' && (
              <>
                <Image src={value} alt="" mah={32} maw={120} w="auto" fit="contain" />
                <ActionButton variant="subtle" needs="connection" onClick={() => void commit(null)}>
                  Remove
                </ActionButton>
              </>
            )}
            <ActionButton
              needs="connection"
              aria-describedby={labels['aria-describedby']}
              onClick={choose}
            >
              Choose {item.label.toLowerCase()}…
            </ActionButton>
          </Group>
          {shown !== null && <Problem>{shown}</Problem>}
        </>
      )}
    </SettingRow>
  );
}

export function ValueSetting({ item }: { readonly item: SettingItem }) {
  switch (item.kind) {
    case 'switch':
      return <SwitchSetting item={item} />;
    case 'image':
      return <ImageSetting item={item} />;
    case 'choice':
      return <ChoiceSetting item={item} />;
    case 'number':
    case 'text':
    case 'list':
      return <TypedSetting item={item} />;
  }
}
