import { type TSchema, Type } from 'typebox'
import { AnyObject, Changed, call, IdList, page } from './call.ts'
import { Id, type Resource, schemas } from './resource.ts'
import { snakeCase } from './text.ts'

/** Many records of one resource belong to many of another. The first one's permissions guard both reading and writing. */
export type Links = { from: Resource; to: Resource; path: string }
export const links = (from: Resource, to: Resource, { path }: Pick<Links, 'path'>): Links => ({ from, to, path })

/** `upkeepPlan` -> `UpkeepPlanId` */
export const linkField = ({ name }: Resource) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Id`
export const linkTable = ({ from, to }: Links) => `${snakeCase(from.name)}_${snakeCase(to.name)}`

/** The linked records of one, as a list; and its calls that add and take links, all or none. */
export const linkCalls = ({ from, to, path }: Links) => {
  const pairs: Record<string, TSchema> = { [linkField(from)]: Id, [`${linkField(to)}s`]: IdList() }
  const write = { path, permission: `${from.permission}.edit`, body: Type.Object(pairs), answer: Changed } as const
  return {
    list: call({
      ...{ method: 'GET', path: `${path}/List`, permission: from.readBy ?? from.permission },
      ...{ query: AnyObject, answer: page(schemas(to).row) },
    }),
    add: call({ ...write, method: 'POST' }),
    remove: call({ ...write, method: 'DELETE' }),
  }
}
