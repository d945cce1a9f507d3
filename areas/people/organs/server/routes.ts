import type { FastifyInstance } from 'fastify'
import { treeRoutes, trees, usersOf } from './service.ts'

export const organRoutes = (app: FastifyInstance) => {
  const { organ, department } = trees
  treeRoutes(app, organ!)
  usersOf(app, organ!.of, 'BelongOrganId')
  treeRoutes(app, department!)
  usersOf(app, department!.of, 'DepartmentId')
}
