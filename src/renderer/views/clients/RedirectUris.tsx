import type { ClientFieldsProps } from './client-fields.ts';
import { UriList } from './UriList.tsx';

/** Where codes may be sent, and where a logout may return to. */
export function RedirectUris({ form }: ClientFieldsProps) {
  return (
    <>
      <UriList
        form={form}
        field="redirect_uris"
        title="Redirect URIs"
        name="Redirect URI"
        note="Compared character by character with the one in the request (RFC 6749 3.1.2.3)."
        placeholder="https://app.example/callback"
      />
      <UriList
        form={form}
        field="post_logout_redirect_uris"
        title="After logout"
        name="Logout URI"
        note="Where a logout may return to (OpenID Connect RP-Initiated Logout 3)."
        placeholder="https://app.example/goodbye"
      />
    </>
  );
}
