import { Box, Code } from '@mantine/core';
import { CopyButton } from './buttons.tsx';

interface CodeBlockProps {
  readonly text: string;
  /** What the copy button copies, if the shown text masks a secret. */
  readonly copies?: string;
  /** Names the block and its copy button: "curl command". */
  readonly label: string;
}

/** Monospaced text to read and copy. It scrolls by itself, also by keyboard. */
export function CodeBlock({ text, copies, label }: CodeBlockProps) {
  return (
    <Box pos="relative" miw={0}>
      <Code
        block
        bg="var(--bg)"
        bd="1px solid var(--line)"
        lh="var(--lh-mono)"
        py="var(--s2h)"
        pl="sm"
        pr="xl"
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        {text}
      </Code>
      <Box pos="absolute" top="var(--s1)" right="var(--s1)" bg="var(--bg)">
        <CopyButton value={copies ?? text} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}

/** @param certificate the path of the server's certificate */
export const TrustCommand = ({ certificate }: { readonly certificate: string }) => (
  <CodeBlock
    text={`NODE_EXTRA_CA_CERTS='${certificate}' node app.js`}
    label="command that trusts the certificate"
  />
);
