/** Members that are wrong on purpose, each with the name of the mistake. */
export type WrongMembers = Readonly<Record<'header' | 'payload', ReadonlyMap<string, string>>>;
