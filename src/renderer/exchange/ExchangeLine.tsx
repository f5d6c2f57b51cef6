import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ExchangeSummary } from '../../control/schemas/exchanges.ts';
import { ViewLink } from '../ui/links.tsx';
import { PathText } from '../ui/PathText.tsx';
import { requestLine, statusWords, StatusTag } from '../ui/status.tsx';
import { answerTone } from './answer.ts';

export const AnswerTag = ({ status, error }: Pick<ExchangeSummary, 'status' | 'error'>) => (
  <StatusTag tone={answerTone({ status, error })}>{statusWords(status)}</StatusTag>
);

export const ExchangeLink = ({ number }: { readonly number: number }) => (
  <ViewLink view="traffic" item={String(number)}>
    <code>
      <span className="visually-hidden">exchange </span>#{number}
    </code>
  </ViewLink>
);

interface ExchangeLineProps {
  readonly exchange: Pick<ExchangeSummary, 'number' | 'method' | 'path' | 'status' | 'error'>;
  /** Shown before the link. */
  readonly children?: ReactNode;
}

/** The parts of a line about an exchange: its status, its request, and a link to it. */
export const ExchangeLine = ({ exchange, children }: ExchangeLineProps) => (
  <>
    <AnswerTag {...exchange} />
    <Text component="code" ff="monospace" size="xs" flex={1} miw={0}>
      <PathText>{requestLine(exchange)}</PathText>
    </Text>
    {children}
    <ExchangeLink number={exchange.number} />
  </>
);
