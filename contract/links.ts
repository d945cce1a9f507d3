import { type TSchema, Type } from 'typebox'
import { Changed, call, IdList, page } from './call.ts'
import { Id, type Resource, schemas } from './resource.ts'
import { snakeCase } from './text.ts'

/**
 * Many records of one resource belong to many of another. The first one's permissions guard both reading and writing. `one`: each of the
 * others belongs to one at most. `button` permits writing, `edit` where it is missing.
 */
export type Links = { from: Resource; to: Resource; path: string; one?: true; button?: string }
export const links = (from: Resource, to: Resource, options: Omit<Links, 'from' | 'to'>): Links => ({ from, to, ...options })

/** `upkeepPlan` -> `UpkeepPlanId` */
export const linkField = ({ name }: Resource) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Id`
export const linkTable = ({ from, to }: Links) => `${snakeCase(from.name)}_${snakeCase(to.name)}`

/** The linked records of one, as a list; and its calls that add and take links, all or none. */
export const linkCalls = ({ from, to, path, button = 'edit' }: Links) => {
  const pairs: Record<string, TSchema> = { [linkField(from)]: Id, [`${linkField(to)}s`]: IdList() }
  const write = { path, permission: `${from.permission}.${button}`, body: Type.Object(pairs), answer: Changed } as const
  return {
    list: call({
      ...{ method: 'GET', path: `${path}/List`, permission: from.readBy ?? from.permission },
      ...{
        query: Type.Unsafe<Record<string, unknown>>(Type.Object({ [linkField(from)]: Id }, { additionalProperties: true })),
        answer: page(schemas(to).row),
      },
    }),
    add: call({ ...write, method: 'POST' }),
    remove: call({ ...write, method: 'DELETE' }),
  }
}
