// Puts the words of members.ts to the members of a schema, wherever in it they stand.

import type { OpenAPI } from '@orpc/openapi';
import { MEMBERS } from './members.ts';

const wordsFor = (name: string, places: readonly string[]): string | undefined =>
  places.map((place) => MEMBERS[`${place}.${name}`]).find((words) => words !== undefined) ??
  MEMBERS[name];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** @param places where the members stand: their own words there win over those they have anywhere */
export function describeMembers(schema: unknown, places: readonly string[]): void {
  if (!isRecord(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'example' || keyword === 'default') continue;
    if (keyword === 'properties' && isRecord(value)) {
      for (const [name, member] of Object.entries(value)) {
        const description = wordsFor(name, places);
        if (isRecord(member) && description !== undefined) member['description'] ??= description;
      }
    }
    describeMembers(value, places);
  }
}

export function describeParameter(
  parameter: OpenAPI.ParameterObject | OpenAPI.ReferenceObject,
  operation: string,
): void {
  if (!('name' in parameter)) return;
  const places = [operation, ...(parameter.in === 'query' ? ['parameter'] : [])];
  const description = wordsFor(parameter.name, places);
  if (description !== undefined) parameter.description = description;
  // The generator's own: no parameter here may be empty, nor hold reserved characters as they are.
  delete parameter.allowEmptyValue;
  delete parameter.allowReserved;
}
