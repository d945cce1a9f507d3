import { Type } from 'typebox'
import { call, page, paging } from '../../../contract/call.ts'
import { choice, long, number, ref, text } from '../../../contract/field.ts'
import { Id, type Resource, resource, schemas } from '../../../contract/resource.ts'
import { user } from '../users/contract.ts'

/** Organisation below an enterprise; a tree. */
export const organ = resource('organ', {
  path: '/System/Organ',
  permission: 'm10411',
  title: 'OrganName',
  order: 'Sort',
  tree: 'ParentOrganId',
  readBy: 'session',
  sheets: 'in-out',
  differs: { readable: 'Pickers everywhere show organisations: a session is enough.' },
  fields: {
    OrganName: text({ required: true, unique: true, search: true }),
    OrganNo: text({ max: 30, search: true }),
    ParentOrganId: ref('organ', { as: 'ParentOrganName' }),
    ManagerUserId: ref('user', { as: 'ManagerUserName' }),
    Address: text({ max: 100 }),
    Status: choice([1, 0], { required: true, default: 1 }),
    Sort: number({ required: true, integer: true, min: 0, max: 9999, default: 0 }),
    Remark: long(),
  },
})

/** The users of a record: complete rows for callers who may see accounts, name and account for others. */
export const usersCall = (r: Resource) =>
  call({
    method: 'GET',
    path: `${r.path}/Users`,
    permission: r.permission,
    query: Type.Object({
      Id,
      ...paging(1e9),
      Search: Type.Optional(Type.String({ maxLength: 100 })),
    }),
    answer: page(Type.Partial(schemas(user).row)),
  })

export const organCalls = { users: usersCall(organ) }
