// Calls that an API process answers itself: they only read PostgreSQL and ClickHouse.
import type { FastifyInstance } from 'fastify'
import { analysisCalls } from '../areas/analysis/telemetry/contract.ts'
import { readingRoutes } from '../areas/analysis/telemetry/server/routes.ts'
import { coldEnergyCalls } from '../areas/cold-storage/energy/contract.ts'
import { coldEnergyRoutes } from '../areas/cold-storage/energy/server/routes.ts'
import { coldFigureCalls } from '../areas/cold-storage/figures/contract.ts'
import { coldFigureRoutes } from '../areas/cold-storage/figures/server/routes.ts'
import { pointCalls } from '../areas/configuration/points/contract.ts'
import { pointRoutes } from '../areas/configuration/points/server/routes.ts'
import { analyticsCalls } from '../areas/energy/analytics/contract.ts'
import { analyticsRoutes } from '../areas/energy/analytics/server/routes.ts'
import { billCalls } from '../areas/energy/bills/check.ts'
import { billCheckRoutes } from '../areas/energy/bills/server/routes.ts'
import { monthCalls } from '../areas/energy/consumption/closing.ts'
import { energyCalls } from '../areas/energy/consumption/contract.ts'
import { savingsCalls } from '../areas/energy/consumption/savings.ts'
import { consumptionRoutes } from '../areas/energy/consumption/server/routes.ts'
import { modelCalls } from '../areas/energy/predictive-models/contract.ts'
import { predictiveRoutes } from '../areas/energy/predictive-models/server/routes.ts'
import { figures, resources } from '../areas/index.ts'
import { figureCalls } from '../areas/maintenance/orders/figures.ts'
import { figureRoutes } from '../areas/maintenance/orders/server/routes.ts'
import type { Call } from '../contract/call.ts'
import { figureCall } from '../contract/figures.ts'
import { wireOf } from '../contract/resource.ts'
import { telemetryCalls } from '../contract/telemetry.ts'
import { onlyReads } from '../server/http/serve.ts'
import type { TelemetryReader } from '../server/telemetry/reader.ts'

type Needs = { telemetry: TelemetryReader; clock: () => number; reportFont: string | undefined }
/** Routes of the areas whose figures an API process works out. */
export const figureAreas = ({ reportFont: font, ...needs }: Needs): ((api: FastifyInstance) => void)[] => [
  (api) => readingRoutes(api, needs.telemetry),
  pointRoutes,
  (api) => consumptionRoutes(api, { ...needs, paper: { font } }),
  ...[billCheckRoutes, analyticsRoutes, predictiveRoutes, coldFigureRoutes, coldEnergyRoutes, figureRoutes].map(
    (routes) => (api: FastifyInstance) => void routes(api, needs),
  ),
]

const { last: _ofMemory, ...charts } = telemetryCalls
const { dataStatus: _counts, ...statistics } = analysisCalls
const { waveform: _upload, ...models } = modelCalls
const calls = [
  ...[charts, statistics, pointCalls, energyCalls, monthCalls, savingsCalls, billCalls, analyticsCalls, models].flatMap((some) =>
    Object.values<Call>(some),
  ),
  ...[coldFigureCalls, coldEnergyCalls, figureCalls].flatMap((some) => Object.values<Call>(some)),
  ...figures.map(figureCall),
]
const lists = resources.flatMap(({ path, aliases }) => [path, ...aliases].map((one) => `${one}/List`))

const records = resources.flatMap((r) =>
  wireOf(r, 'find').flatMap(([method, suffix]) => [r.path, ...r.aliases].map((path) => ({ method, url: `${path}${suffix}` }))),
)

const keyOf = (method: string, path: string) => `${method} ${path}`.toLowerCase().replace(/\/$/, '')

/** Returns a check for local calls: lists, records, figures and stored readings that `app` serves. Calls with parameters in their path go to the owner. */
export const localCalls = (app: Pick<FastifyInstance, 'hasRoute'>) => {
  const found = [
    ...calls.filter(onlyReads).flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((url) => ({ method, url }))),
    ...records,
    ...lists.flatMap((url) => ['GET', 'POST'].map((method) => ({ method, url }))),
  ]
  const keys = new Set(
    found
      .filter(({ method, url }) => !/[:{]/.test(url) && app.hasRoute({ method: method as 'GET', url: `/api${url}` }))
      .map(({ method, url }) => keyOf(method, `/api${url}`)),
  )
  return (method: string, path: string) => keys.has(keyOf(method, path))
}
