import { Type } from 'typebox'
import { call } from './call.ts'
import { Id, type Resource, schemas, valueSchema } from './resource.ts'

/** What a tree has beside the ordinary calls: a new name in place, and another place. */
export const treeCalls = (r: Resource) => {
  const shared = { method: 'PUT', permission: `${r.permission}.edit`, answer: schemas(r).row } as const
  return {
    rename: call({ ...shared, path: `${r.path}/ReName`, body: Type.Object({ Id, [r.title]: valueSchema(r.fields[r.title]!) }) }),
    /** Below another record, or null for the top; in front of the sibling `Before`, else behind the last. */
    move: call({
      ...shared,
      path: `${r.path}/Move`,
      body: Type.Object({
        Id,
        [r.tree!]: Type.Union([Id, Type.Null()]),
        Before: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      }),
    }),
  }
}
