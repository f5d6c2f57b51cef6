import { ViewLink } from '../ui/links.tsx';

export function ExchangeLink({ number }: { readonly number: number }) {
  return (
    <ViewLink view="traffic" item={String(number)}>
      <code>
        <span className="visually-hidden">exchange </span>#{number}
      </code>
    </ViewLink>
  );
}
