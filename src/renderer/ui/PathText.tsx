import { Group, Text } from '@mantine/core';

/** A path, or a request line, that keeps its last segment where it is cut: that tells the endpoints of a provider apart. */
export function PathText({ children: text }: { readonly children: string }) {
  const end = Math.max(text.lastIndexOf('/'), 0);
  return (
    <>
      <span className="visually-hidden">{text}</span>
      <Group component="span" gap={0} wrap="nowrap" miw={0} aria-hidden="true">
        {end > 0 && (
          <Text span inherit truncate style={{ whiteSpace: 'pre' }}>
            {text.slice(0, end)}
          </Text>
        )}
        <Text span inherit truncate {...(end > 0 && { flex: 'none', maw: 'calc(100% - 2ch)' })}>
          {text.slice(end)}
        </Text>
      </Group>
    </>
  );
}
