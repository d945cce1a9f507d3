import { Type } from 'typebox'
import { call } from './call.ts'
import { type Resource, schemas } from './resource.ts'

/** Adds up to a thousand records in one transaction: `POST <path>/BatchAdd`. */
export const batchAddOf = (r: Resource) =>
  call({
    method: 'POST',
    path: `${r.path}/BatchAdd`,
    permission: `${r.permission}.add`,
    body: Type.Object({ Items: Type.Array(schemas(r).draft, { minItems: 1, maxItems: 1000 }) }),
    answer: Type.Object({ Added: Type.Integer() }),
  })
