import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import classes from './Tokens.module.css';

/** Says that newer ones stand above, where the list was left for what is older. */
export function NewerTokens({ onShow }: { readonly onShow: () => void }) {
  return (
    <div className={classes.newer} role="status">
      <Button leftSection={<IconArrowUp size="1.1em" aria-hidden="true" />} onClick={onShow}>
        Newer ones were issued
      </Button>
    </div>
  );
}
