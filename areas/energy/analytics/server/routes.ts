import type { FastifyInstance } from 'fastify'
import type { Call } from '../../../../contract/call.ts'
import { type Served, serve } from '../../../../server/http/serve.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { analyticsCalls as calls } from '../contract.ts'
import type { Reader } from './dataset.ts'
import { apriori, decisionTree, featureImportance, histogram, specificPeriod, trainModel } from './service.ts'

export type AnalyticsNeeds = Pick<Reader, 'telemetry' | 'clock'>

export const analyticsRoutes = (app: FastifyInstance, needs: AnalyticsNeeds) => {
  /** One question of a company at a time. */
  const inTurn = <T>({ db, actor }: Pick<Served<Call>, 'db' | 'actor'>, work: (reader: Reader) => Promise<T>) =>
    reckonInTurn(actor, () => work({ db, actor, ...needs }))

  serve(app, calls.specificPeriod, (s) => inTurn(s, (reader) => specificPeriod(reader, s.query)))
  serve(app, calls.histogram, (s) => inTurn(s, (reader) => histogram(reader, s.query)))
  serve(app, calls.featureImportance, (s) => inTurn(s, (reader) => featureImportance(reader, s.query)))
  serve(app, calls.trainModel, (s) => inTurn(s, (reader) => trainModel(reader, s.query)))
  serve(app, calls.decisionTree, (s) => inTurn(s, (reader) => decisionTree(reader, s.query)))
  serve(app, calls.apriori, (s) => inTurn(s, (reader) => apriori(reader, s.query)))
}
