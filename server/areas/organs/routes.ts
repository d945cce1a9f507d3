import type { FastifyInstance } from 'fastify'
import { department } from '../../../contract/areas/departments.ts'
import { organ } from '../../../contract/areas/organs.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { treeRoutes, usersOf } from './service.ts'

export const organRoutes = (app: FastifyInstance) => {
  const [organs, departments] = [organ, department] as unknown as [Resource, Resource]
  treeRoutes(app, { of: organs, parent: 'ParentOrganId' })
  usersOf(app, organs, 'BelongOrganId')
  treeRoutes(app, { of: departments, parent: 'ParentId', within: 'BelongOrganId' })
  usersOf(app, departments, 'DepartmentId')
}
