// What the sign-in of a person waits for.

export type PersonSignIn =
  | {
      readonly kind: 'waiting';
      /** Of the callback. */
      readonly id: string;
      readonly redirect_uri: string;
      /** The authorization request. */
      readonly href: string;
    }
  | {
      readonly kind: 'nowhere';
      readonly why: string;
      /** The redirect URI that may be added to the client. */
      readonly offer: string;
    };
