import type { FastifyInstance } from 'fastify'
import { LogicOP } from '../../../../contract/call.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { serve } from '../../../../server/http/serve.ts'
import { hiding } from '../../../../server/identity/dataScope.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { readListing } from '../../../../server/resource/list.ts'
import { store } from '../../../../server/resource/store.ts'
import { department } from '../../departments/contract.ts'
import { user } from '../../users/contract.ts'
import { organ, usersCall } from '../contract.ts'

/** A tree, and the users whose field refers to one of its records. */
const treeOfPeople = (app: FastifyInstance, r: Resource, field: string) => {
  crud(app, r)
  serve(app, usersCall(r), async ({ db, actor, query }) => {
    const { Id, ...paging } = query
    await store(r).find(db, actor, Id)
    const asked = { ...readListing(paging), conditions: [{ Field: field, Value: Id, LogicOP: LogicOP.equals }] }
    if (actor.may.has(user.permission)) return store(user).list(db, actor, asked)
    // Other fields can be neither searched nor sorted by.
    const others = Object.keys(user.fields).filter((name) => !['UserNO', 'UserName', field].includes(name))
    const people = await store(user).list(db, hiding(actor, user.name, others), asked)
    return { ...people, Items: people.Items.map(({ Id, UserNO, UserName }) => ({ Id, UserNO, UserName })) }
  })
}

export const organRoutes = (app: FastifyInstance) => {
  treeOfPeople(app, organ, 'BelongOrganId')
  treeOfPeople(app, department, 'DepartmentId')
}
