import type { FastifyInstance } from 'fastify'
import { region } from '../../../contract/areas/regions.ts'
import type { Resource } from '../../../contract/base/resource.ts'
import { treeRoutes } from '../organs/service.ts'

export const regionRoutes = (app: FastifyInstance) => treeRoutes(app, { of: region as unknown as Resource, parent: 'ParentId' })
