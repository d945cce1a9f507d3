import type { FastifyInstance } from 'fastify'
import { treeRoutes, trees } from '../../organs/server/service.ts'

export const regionRoutes = (app: FastifyInstance) => treeRoutes(app, trees.region!)
