import {
  Button,
  FileButton,
  Group,
  Image,
  NumberInput,
  Select,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { readList, useTypedSetting, useSetting } from '../../actions/use-setting.ts';
import { defaultInWords } from '../../ui/number-field.tsx';
import { useNeed } from '../../ui/use-need.ts';
import { useObstacle } from '../../connection/reach.ts';
import type { SettingItem } from './sections.ts';
import { SettingRow } from './Section.tsx';

interface TypedSettingProps {
  readonly item: Extract<SettingItem, { kind: 'number' | 'text' | 'list' }>;
}

const READERS = { number: Number, text: String, list: readList };

/** A typed setting, with the meaning of its number in words. */
function TypedSetting({ item }: TypedSettingProps) {
  const emptied = item.kind === 'list' ? item.emptied : null;
  const setting = useTypedSetting(item.path, READERS[item.kind], emptied);
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
      {(labels) =>
        item.kind === 'number' ? (
          <NumberInput
            {...field}
            {...labels}
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
            {...labels}
            placeholder={item.placeholder}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )
      }
    </SettingRow>
  );
}

type ItemOf<Kind extends SettingItem['kind']> = Extract<SettingItem, { kind: Kind }>;

function SwitchSetting({ item }: { readonly item: ItemOf<'switch'> }) {
  const needs = useNeed('connection');
  const { value, error, saved, commit } = useSetting(item.path);
  return (
    <SettingRow label={item.label} help={item.help} saved={saved} end>
      {(labels) => (
        <Switch
          size="sm"
          {...labels}
          checked={value === true}
          error={error}
          {...needs}
          onChange={(event) => void commit(event.currentTarget.checked)}
        />
      )}
    </SettingRow>
  );
}

function ChoiceSetting({ item }: { readonly item: ItemOf<'choice'> }) {
  const disabled = useObstacle('connection') !== null;
  const { value, error, saved, commit } = useSetting(item.path);
  const chosen = typeof value === 'string' ? value : '';
  const about = item.values[chosen];
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

/** Returns the file as a data URL, whose media type is that of the file. */
async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `data:${file.type};base64,${btoa(text)}`;
}

/** Larger files are not read: none of them fits into a data URL that the settings accept. */
const MAX_FILE_BYTES = 1_000_000;

function ImageSetting({ item }: { readonly item: ItemOf<'image'> }) {
  const needs = useNeed('connection');
  const { value, error, saved, commit } = useSetting(item.path);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | null) => {
    if (file === null) return;
    const isTooLarge = file.size > MAX_FILE_BYTES;
    setProblem(isTooLarge ? 'The file is too large.' : null);
    if (!isTooLarge) await commit(await dataUrlOf(file));
  };
  const shown = problem ?? error;
  return (
    <SettingRow label={item.label} help={item.help} saved={saved} end>
      {(labels) => (
        <>
          <Group gap="xs">
            {typeof value === 'string' && (
              <>
                <Image src={value} alt="" mah={32} maw={120} w="auto" fit="contain" />
                <Button variant="subtle" {...needs} onClick={() => void commit(null)}>
                  Remove
                </Button>
              </>
            )}
            <FileButton accept="image/png,image/jpeg" onChange={(file) => void choose(file)}>
              {(props) => (
                <Button {...props} {...needs} aria-describedby={labels['aria-describedby']}>
                  Choose {item.label.toLowerCase()}…
                </Button>
              )}
            </FileButton>
          </Group>
          {shown !== null && (
            <Text size="xs" c="var(--bad)" role="alert">
              {shown}
            </Text>
          )}
        </>
      )}
    </SettingRow>
  );
}

/** One setting, saved when a value is chosen or its field loses focus. */
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
